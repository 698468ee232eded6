"""Contract, "Void bets": details 15 to 17, each by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    AFTER_CLOSING,
    AFTER_THE_END,
    BAC,
    BEFORE_CLOSING,
    BEFORE_OPENING,
    BJ,
    CLOSED_AT,
    ENDED_AT,
    FAMILY,
    IN_TIME,
    MFB,
    NATURAL,
    OPENED_AT,
    QB,
    SIX_POINTS,
    WINS,
    ZAP,
    bet,
    coup,
    graded,
    grades_in,
    left,
    result,
)


class TestDetail15BettingTime:
    """Opening and closing are in time; a disconnect at closing is after closing."""

    @pytest.mark.parametrize(
        ("at", "grade"),
        [
            (BEFORE_OPENING, "void 10.00"),
            (OPENED_AT, "win 20.00"),
            (CLOSED_AT, "win 20.00"),
            (AFTER_CLOSING, "void 10.00"),
        ],
    )
    def test_includes_opening_and_closing(self, at: str, grade: str) -> None:
        """A bet outside is void. At baccarat, where no box depends on it."""
        assert graded(NATURAL, coup("b1", "player", placed_at=at), rules=BAC) == [grade]

    def test_is_over_at_a_disconnect_at_closing(self) -> None:
        """Quantum: the hand is finished off line, eleven doubled to 21 against eighteen."""
        text = "1:5S D:TD 1:6C D:8C"
        disconnect = left(CLOSED_AT, seen=4, own="1:TH")

        assert graded(
            text, bet("b1", play="D", raised="10.00"), rules=QB, disconnects=[disconnect]
        ) == ["win 40.00"]

    def test_is_not_over_at_a_disconnect_one_millisecond_before_closing(self) -> None:
        """The bets are void and the box is not dealt; stake and raise go back."""
        text = "2:9S D:TD 2:TC D:8C"
        bets = bet("b1", play="D", raised="10.00"), bet("b2", player="p-2", box=2)
        disconnect = left(BEFORE_CLOSING, seen=4, own="1:TH")

        assert graded(text, *bets, rules=QB, disconnects=[disconnect]) == [
            "void 20.00",
            "win 20.00",
        ]

    @pytest.mark.parametrize("rules", [BJ, ZAP])
    def test_ignores_off_line_cards_at_blackjack_and_zappit(self, rules: str) -> None:
        """Hands are finished live there: the player's own cards are not checked."""
        disconnect = left(CLOSED_AT, seen=0, own="1:2S 1:2H D:TH D:TC 7:AS")

        assert graded(WINS, bet("b1"), rules=rules, disconnects=[disconnect]) == ["win 20.00"]

    def test_decides_which_disconnects_void_bets_at_baccarat(self) -> None:
        """p-1 leaves at closing and is paid; p-2 leaves before it and gets the stake back."""
        bets = coup("b1", "player"), coup("b2", "tie", "3.33", player="p-2")
        disconnects = [left(CLOSED_AT, seen=1, own="P:2C"), left(BEFORE_CLOSING, who="p-2")]

        assert graded(NATURAL, *bets, rules=BAC, disconnects=disconnects) == [
            "win 20.00",
            "void 3.33",
        ]


class TestDetail16InsuranceTime:
    """After closing, up to and including the end of the round."""

    @pytest.mark.parametrize("rules", FAMILY)
    @pytest.mark.parametrize(
        ("at", "grade"),
        [
            (OPENED_AT, "void 5.00"),
            (CLOSED_AT, "void 5.00"),
            (AFTER_CLOSING, "win 15.00"),
            (ENDED_AT, "win 15.00"),
            (AFTER_THE_END, "void 5.00"),
        ],
    )
    def test_excludes_closing_and_includes_the_end(self, rules: str, at: str, grade: str) -> None:
        """The dealer has a blackjack: 2:1."""
        text = "1:9S 2:9C D:AD 1:TC 2:9D D:KC" if rules == MFB else "1:9S D:AD 1:TC D:KC"

        output = graded(text, bet("b1"), bet("b2", "insurance", "5.00", placed_at=at), rules=rules)

        assert output == ["lose 0.00", grade]

    def test_missed_voids_the_insurance_without_further_checks(self) -> None:
        """No Ace up, no main bet on the box, not half of the stake: none is checked."""
        late = bet("b2", "insurance", "7.77", placed_at=CLOSED_AT, box=5)

        assert graded(WINS, bet("b1"), late) == ["win 20.00", "void 7.77"]


class TestDetail17WhatGoesWithAMainBet:
    """Its side bets and insurance are void with it, also those of a bet behind."""

    def test_includes_bets_behind_and_their_side_bets(self) -> None:
        """The owner left: the bet behind, its pair and its insurance go back, each in full."""
        bets = (
            bet("owner", play="HH", raised="1.11"),
            bet("behind", player="p-2", stake="5.00", behind=True, raised="5.00"),
            bet("pair", "perfect_pairs", "1.00", player="p-2"),
            bet("insured", "insurance", "2.50", player="p-2"),
            bet("other", player="p-3", box=2),
        )
        text = "2:9S D:AD 2:TC D:8C"

        output = graded(text, *bets, disconnects=[left(IN_TIME)])

        assert output == ["void 11.11", "void 10.00", "void 1.00", "void 2.50", "push 10.00"]

    def test_is_valid_if_another_main_bet_of_the_player_counts(self) -> None:
        """The own main bet is late, the bet behind in time: the pair of nines pays 12:1."""
        bets = (
            bet("late", placed_at=AFTER_CLOSING),
            bet("owner", player="p-2"),
            bet("behind", stake="4.00", behind=True),
            bet("pair", "perfect_pairs", "1.00"),
        )

        output = graded("1:9S D:TD 1:9C D:8C", *bets)

        assert output == ["void 10.00", "push 10.00", "push 4.00", "win 13.00"]

    def test_excludes_bets_on_another_box(self) -> None:
        """Box 1 late, box 2 in time: only the side bets of box 1 are void."""
        bets = (
            bet("one", placed_at=AFTER_CLOSING),
            bet("two", box=2),
            bet("three", "21+3", "1.00"),
            bet("four", "21+3", "1.00", box=2),
        )

        output = graded("2:9S D:TD 2:TC D:8C", *bets)

        assert output == ["void 10.00", "win 20.00", "void 1.00", "lose 0.00"]

    def test_includes_the_bonus_bet(self) -> None:
        """Six points and no bonus: a void bonus bet misses none."""
        bets = bet("b1", placed_at=AFTER_CLOSING), bet("b2", "mega_fire_blaze", "1.00")

        output = result(SIX_POINTS, *bets, rules=MFB)

        assert (output["status"], grades_in(output)) == ("settled", ["void 10.00", "void 1.00"])
        assert output["bonus"] == {"points": 6, "level": "minor", "multiplier": None}

    def test_excludes_the_main_bet_of_a_late_side_bet(self) -> None:
        """A late side bet is void alone."""
        late = bet("b2", "21+3", "1.00", placed_at=AFTER_CLOSING)

        assert graded(WINS, bet("b1"), late) == ["win 20.00", "void 1.00"]

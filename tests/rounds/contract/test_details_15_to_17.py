"""Contract, "Void bets": details 15 to 17, each by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    BAC,
    BJ,
    CLOSED_AT,
    DAY,
    ENDED_AT,
    FAMILY,
    IN_TIME,
    MFB,
    OPENED_AT,
    QB,
    ZAP,
    bet,
    coup,
    graded,
    grades_in,
    left,
    result,
)

WINS = "1:9S D:TD 1:TC D:8C"
"""Nineteen against eighteen."""
NATURAL = "P:4S B:7H P:5D B:TC"
"""Nine against seven in four cards."""
SIX_POINTS = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"
"""Both boxes fourteen: a minor bonus; the dealer has eighteen."""

BEFORE_OPENING = f"{DAY}21:10:09.999Z"
BEFORE_CLOSING = f"{DAY}21:10:24.999Z"
AFTER_CLOSING = f"{DAY}21:10:25.001Z"
AFTER_THE_END = f"{DAY}21:11:02.001Z"


class TestDetail15BettingTime:
    """Both ends are in time; a disconnect at closing is after it."""

    @pytest.mark.parametrize(
        ("at", "grade"),
        [
            (BEFORE_OPENING, "void 10.00"),
            (OPENED_AT, "win 20.00"),
            (CLOSED_AT, "win 20.00"),
            (AFTER_CLOSING, "void 10.00"),
        ],
    )
    def test_has_both_its_ends(self, at: str, grade: str) -> None:
        """At baccarat, where no box depends on it."""
        assert graded(NATURAL, coup("b1", "player", placed_at=at), rules=BAC) == [grade]

    def test_is_over_for_who_leaves_at_closing(self) -> None:
        """Quantum: the hand is finished off line, eleven doubled to 21 against eighteen."""
        text = "1:5S D:TD 1:6C D:8C"
        disconnect = left(CLOSED_AT, seen=4, own="1:TH")

        assert graded(
            text, bet("b1", play="D", raised="10.00"), rules=QB, disconnects=[disconnect]
        ) == ["win 40.00"]

    def test_is_not_over_for_who_leaves_a_millisecond_before(self) -> None:
        """His bets are void and his box is not dealt; stake and raise go back."""
        text = "2:9S D:TD 2:TC D:8C"
        bets = bet("b1", play="D", raised="10.00"), bet("b2", player="p-2", box=2)
        disconnect = left(BEFORE_CLOSING, seen=4, own="1:TH")

        assert graded(text, *bets, rules=QB, disconnects=[disconnect]) == [
            "void 20.00",
            "win 20.00",
        ]

    @pytest.mark.parametrize("rules", [BJ, ZAP])
    def test_over_it_changes_nothing_at_tables_that_finish_live(self, rules: str) -> None:
        """The player's own cards are not looked at, whatever they are."""
        disconnect = left(CLOSED_AT, seen=0, own="1:2S 1:2H D:TH D:TC 7:AS")

        assert graded(WINS, bet("b1"), rules=rules, disconnects=[disconnect]) == ["win 20.00"]

    def test_at_baccarat_decides_nothing_else(self) -> None:
        """Who left after closing is paid, who left before gets the stake back."""
        bets = coup("b1", "player"), coup("b2", "tie", "3.33", player="p-2")
        disconnects = [left(CLOSED_AT, seen=1, own="P:2C"), left(BEFORE_CLOSING, who="p-2")]

        assert graded(NATURAL, *bets, rules=BAC, disconnects=disconnects) == [
            "win 20.00",
            "void 3.33",
        ]


class TestDetail16InsuranceTime:
    """After closing, up to the end of the round."""

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

    def test_missed_makes_everything_else_about_it_right(self) -> None:
        """No Ace up, no main bet on the box, not half of anything: void is not looked at."""
        late = bet("b2", "insurance", "7.77", placed_at=CLOSED_AT, box=5)

        assert graded(WINS, bet("b1"), late) == ["win 20.00", "void 7.77"]


class TestDetail17WhatGoesWithAMainBet:
    """Void with it, down to a bet behind's own side bets."""

    def test_goes_down_the_chain_behind_a_void_owner(self) -> None:
        """The owner left: the bet behind, its pair and its insurance go back, each whole."""
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

    def test_stays_where_another_main_bet_of_the_player_counts(self) -> None:
        """Own main bet late, a bet behind in time: the pair of nines pays 12:1."""
        bets = (
            bet("late", placed_at=AFTER_CLOSING),
            bet("owner", player="p-2"),
            bet("behind", stake="4.00", behind=True),
            bet("pair", "perfect_pairs", "1.00"),
        )

        output = graded("1:9S D:TD 1:9C D:8C", *bets)

        assert output == ["void 10.00", "push 10.00", "push 4.00", "win 13.00"]

    def test_is_not_the_main_bet_on_another_box(self) -> None:
        """Box 1 late, box 2 in time: only the side bets of box 1 are void."""
        bets = (
            bet("one", placed_at=AFTER_CLOSING),
            bet("two", box=2),
            bet("three", "21+3", "1.00"),
            bet("four", "21+3", "1.00", box=2),
        )

        output = graded("2:9S D:TD 2:TC D:8C", *bets)

        assert output == ["void 10.00", "win 20.00", "void 1.00", "lose 0.00"]

    def test_is_the_bonus_bet_too(self) -> None:
        """Six points and no bonus: the void bet misses none."""
        bets = bet("b1", placed_at=AFTER_CLOSING), bet("b2", "mega_fire_blaze", "1.00")

        output = result(SIX_POINTS, *bets, rules=MFB)

        assert (output["status"], grades_in(output)) == ("settled", ["void 10.00", "void 1.00"])
        assert output["bonus"] == {"points": 6, "level": "minor", "multiplier": None}

    def test_a_late_side_bet_does_not_take_its_main_bet_along(self) -> None:
        """The other way round."""
        late = bet("b2", "21+3", "1.00", placed_at=AFTER_CLOSING)

        assert graded(WINS, bet("b1"), late) == ["win 20.00", "void 1.00"]

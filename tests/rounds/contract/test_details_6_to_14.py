"""Contract, "Lines and documents": details 6 to 14, each by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    BAC,
    BJ,
    CLOSED_AT,
    ENDED_AT,
    FAMILY,
    IN_TIME,
    INSURING,
    MFB,
    MFB_WINS,
    NATURAL,
    QB,
    SIX_POINTS,
    WINS,
    ZAP,
    Document,
    bet,
    bonus,
    coup,
    deal,
    graded,
    left,
    rejected_field,
    replay,
    verdict_of,
)


class TestDetail6RoundIds:
    """Unique in a file, except those of rejected lines."""

    def test_are_used_by_settled_held_and_void_rounds_but_not_by_rejected_ones(self) -> None:
        """Also across games and tables."""
        first = [
            deal(WINS, bet("b1", reported="1.00"), round="held"),
            deal(
                WINS,
                bet("b1"),
                round="void",
                incident="malfunction",
                shoe={"id": "s-2", "drawn": 1},
            ),
            deal(
                NATURAL,
                coup("b1", "player"),
                rules=BAC,
                round="settled",
                shoe={"id": "s-3", "drawn": 1},
            ),
            deal(WINS, bet("b1", box=9), round="rejected"),
        ]
        again = [
            deal(WINS, bet("b1"), rules=ZAP, round=name, table="t-9")
            for name in ("held", "void", "settled", "rejected")
        ]

        output = [result["status"] for result in replay(*first, *again)]

        assert output[:4] == ["held", "void", "settled", "rejected"]
        assert output[4:] == ["rejected", "rejected", "rejected", "settled"]


class TestDetail7WhatAGameDoesNotHave:
    """Rejected, naming the field."""

    @pytest.mark.parametrize("rules", FAMILY)
    def test_follows_belongs_to_a_main_bet_behind(self, rules: str) -> None:
        """Rejected elsewhere, even with the value that holds anyway."""
        assert rejected_field(WINS, bet("b1", follows=True), rules=rules) == "bets[0].follows"

    def test_follows_is_rejected_on_a_side_bet_or_insurance_behind(self) -> None:
        """A main bet behind has it."""
        behind = bet("b2", player="p-2", behind=True, follows=False)
        side_bet = bet("b3", "21+3", player="p-2", behind=True, follows=False)
        insured = bet("b3", "insurance", "5.00", player="p-2", behind=True, follows=True)

        assert verdict_of(WINS, bet("b1"), behind) == "settled"
        assert rejected_field(WINS, bet("b1"), behind, side_bet) == "bets[2].follows"
        assert rejected_field(WINS, bet("b1"), behind, insured) == "bets[2].follows"

    @pytest.mark.parametrize("kind", ["insurance", "perfect_pairs", "21+3"])
    def test_only_a_main_bet_is_played_and_raised(self, kind: str) -> None:
        """A play or a raise of any other bet is rejected."""
        assert rejected_field(WINS, bet("b1"), bet("b2", kind, play="S")) == "bets[1].play"
        assert rejected_field(WINS, bet("b1"), bet("b2", kind, raised="0.01")) == "bets[1].raised"

    def test_a_bet_behind_has_no_play_but_may_be_raised(self) -> None:
        """It doubles with its owner: 2 x 20 and 2 x 10 for 21 against eighteen."""
        text = "1:5S D:TD 1:6C D:8C 1:TH"
        owner = bet("b1", play="D", raised="10.00")
        behind = bet("b2", player="p-2", stake="5.00", behind=True, raised="5.00")

        assert graded(text, owner, behind) == ["win 40.00", "win 20.00"]
        assert rejected_field(text, owner, behind | {"play": "D"}) == "bets[1].play"

    @pytest.mark.parametrize("rules", [BJ, BAC, ZAP])
    def test_golden_chips_are_rejected_at_other_games(self, rules: str) -> None:
        """Mega Fire Blaze and Quantum accept them."""
        result = coup("b1", "player") if rules == BAC else bet("b1")

        assert rejected_field("", result | {"funding": "golden"}, rules=rules) == "bets[0].funding"
        assert verdict_of(WINS, bet("b1", funding="golden"), rules=QB) == "settled"
        assert verdict_of(MFB_WINS, bet("b1", funding="golden"), rules=MFB) == "settled"


class TestDetail8Boxes:
    """A bet on a box that the table lacks is rejected; a card there is an extra card."""

    @pytest.mark.parametrize(("rules", "box"), [(BJ, 8), (MFB, 3), (QB, 8), (ZAP, 4)])
    def test_of_other_tables_take_no_bet(self, rules: str, box: int) -> None:
        """One box above the last."""
        assert rejected_field(WINS, bet("b1", box=box), rules=rules) == "bets[0].box"

    def test_of_other_tables_take_no_card(self) -> None:
        """Box 3 at Mega Fire Blaze; box 4 at Zappit; a box at baccarat; Player at blackjack."""
        assert verdict_of(f"{MFB_WINS} 3:2C", bet("b1"), rules=MFB) == "extra-card"
        assert verdict_of(f"{WINS} 4:2C", bet("b1"), rules=ZAP) == "extra-card"
        assert verdict_of(f"{NATURAL} 1:2C", coup("b1", "tie"), rules=BAC) == "extra-card"
        assert verdict_of(f"{WINS} P:2C", bet("b1")) == "extra-card"

    def test_above_seven_are_rejected_as_places_of_cards(self) -> None:
        """The feed knows boxes 1 to 7."""
        assert rejected_field(f"{WINS} 8:2C", bet("b1")) == "cards[4]"


class TestDetail9SecondBets:
    """A second main bet, insurance, owner or player is rejected if both count."""

    def test_are_rejected_only_if_both_count(self) -> None:
        """A late main bet or an early insurance is void, so the other one is valid."""
        text = "1:9S D:AD 1:TC D:8C"
        late = bet("b9", placed_at=ENDED_AT, play="HHH", raised="3.00")
        insured = bet("b2", "insurance", "5.00")
        early = bet("b3", "insurance", "7.77", placed_at=CLOSED_AT)

        assert graded(text, late, bet("b1")) == ["void 13.00", "push 10.00"]
        assert graded(text, bet("b1"), insured, early) == [
            *("push 10.00", "lose 0.00", "void 7.77"),
        ]
        assert (
            rejected_field(text, bet("b1"), insured, early | {"placed_at": INSURING}) == "bets[2]"
        )

    def test_behind_the_own_hand_are_void(self) -> None:
        """Nobody bets behind the own hand."""
        assert graded(WINS, bet("b1"), bet("b2", behind=True)) == ["win 20.00", "void 10.00"]

    def test_of_another_owner_are_rejected_unless_one_is_void(self) -> None:
        """The second owner left before closing."""
        other = bet("b2", player="p-2", play="HH", raised="9.99")

        assert rejected_field(WINS, bet("b1"), other) == "bets[1].player"
        assert graded(WINS, bet("b1"), other, disconnects=[left(IN_TIME, who="p-2")]) == [
            *("win 20.00", "void 19.99"),
        ]

    def test_of_another_player_at_zappit_are_rejected(self) -> None:
        """Also on another box; the same player may have two boxes."""
        text = "1:9S 2:8S D:TD 1:TC 2:9H D:8C"
        other = bet("b2", player="p-2", box=2)

        assert rejected_field(text, bet("b1"), other, rules=ZAP) == "bets[1].player"
        assert graded(text, bet("b1"), bet("b2", box=2), rules=ZAP) == ["win 20.00", "lose 0.00"]

    def test_of_a_side_bet_are_accepted(self) -> None:
        """A pair of nines twice: 12:1 each on its own stake."""
        text = "1:9S D:TD 1:9C D:8C"
        pairs = [bet("b2", "perfect_pairs", "1.00"), bet("b3", "perfect_pairs", "0.50")]

        assert graded(text, bet("b1"), *pairs) == ["push 10.00", "win 13.00", "win 6.50"]


class TestDetail10Plays:
    """Their form, checked before any rule."""

    @pytest.mark.parametrize(
        "play", ["P", "PP,", "P,,", ",", "H,H", "PHP,", "P,P", "h", "\uff28", "H ", "PS,S,"]
    )
    def test_of_another_form_are_rejected(self, play: str) -> None:
        """At most one split, with its comma."""
        assert rejected_field(WINS, bet("b1", play=play)) == "bets[0].play"

    def test_with_empty_halves_of_a_split_are_accepted(self) -> None:
        """Eights split, both hands stood: nineteen and ten against eighteen."""
        text = "1:8S D:TD 1:8C D:8D 1a:AC 1b:2C"

        assert graded(text, bet("b1", play="P,", raised="10.00")) == ["push 20.00"]


class TestDetail11BonusNumbers:
    """Malformed numbers are rejected; impossible ones hold the round."""

    @pytest.mark.parametrize(
        ("played", "field"),
        [
            (bonus("minor", "02", "1:2", "", "", ""), "bonus.multiplier"),
            (bonus("minor", "1000000", "1:2", "", "", ""), "bonus.multiplier"),
            (bonus("minor", "2", "1:2.5", "", "", ""), "bonus.spins[0]"),
            (bonus("minor", "2", "1:2", "", "", "", s01={"boost": "2"}), "bonus.specials"),
            (bonus("minor", "2", "1:2", "", "", "", s1={"boost": "+2"}), "bonus.specials.1.boost"),
            (bonus("jackpot", "2", "1:2", "", "", ""), "bonus.level"),
            (bonus("Minor", "2", "1:2", "", "", ""), "bonus.level"),
        ],
    )
    def test_of_another_form_are_rejected(self, played: Document, field: str) -> None:
        """Level, cells, sections, specials and total."""
        assert rejected_field(SIX_POINTS, bet("b1"), rules=MFB, bonus=played) == field

    @pytest.mark.parametrize(
        "played",
        [
            bonus("minor", "4", "1:2 0:2", "", "", ""),
            bonus("minor", "4", "1:2 -6:2", "", "", ""),
            bonus("minor", "4", f"1:2 {10**20}:2", "", "", ""),
            bonus("minor", "2", "1:2", "", "", "", s0={"boost": "2"}),
            bonus("minor", "2", "1:2 2:0", "", "", ""),
            bonus("minor", "999999", "1:2", "", "", ""),
        ],
    )
    def test_impossible_in_a_grid_hold_the_round(self, played: Document) -> None:
        """A cell below 1 or above the last, section 0, a multiplier of zero, a wrong total."""
        assert verdict_of(SIX_POINTS, bet("b1"), rules=MFB, bonus=played) == "bonus-grid"


class TestDetail12MultiplierValues:
    """Compared as text."""

    @pytest.mark.parametrize("value", ["2.50", "3.0", "05", "x5", "4", "", "10 "])
    def test_of_another_text_hold_the_round(self, value: str) -> None:
        """Even if the text is the same number."""
        others = {"QS": "5", "QH": "2.5", "QD": value}

        assert verdict_of(WINS, bet("b1"), rules=QB, multipliers=others) == "multiplier-cards"

    def test_absent_or_in_a_wrong_number_hold_the_round(self) -> None:
        """No field, an empty one, or four values."""
        without = deal(WINS, bet("b1"), rules=QB)
        del without["multipliers"]
        four = dict.fromkeys(("QS", "QH", "QD", "QC"), "5")

        assert replay(without)[0]["anomalies"] == ["multiplier-cards"]
        assert verdict_of(WINS, bet("b1"), rules=QB, multipliers={}) == "multiplier-cards"
        assert verdict_of(WINS, bet("b1"), rules=QB, multipliers=four) == "multiplier-cards"

    def test_of_a_wrong_type_are_rejected(self) -> None:
        """A number instead of a text."""
        others = {"QS": "5", "QH": "2.5", "QD": 10}

        assert rejected_field(WINS, bet("b1"), rules=QB, multipliers=others) == "multipliers.QD"


class TestDetail13Disconnects:
    """One entry for each player; own cards require the number of cards seen."""

    def test_with_cards_require_the_number_seen(self) -> None:
        """An empty list counts as absent."""
        own = left() | {"cards": [["1", "2C"]]}
        nothing = left() | {"cards": []}

        assert rejected_field(WINS, bet("b1"), disconnects=[own]) == "disconnects[0].cards_seen"
        assert graded(WINS, bet("b1"), rules=QB, disconnects=[nothing]) == ["win 20.00"]

    def test_have_seen_no_more_than_was_dealt(self) -> None:
        """Four cards are dealt; all four may have been seen."""
        assert verdict_of(WINS, bet("b1"), disconnects=[left(seen=4)]) == "settled"
        assert (
            rejected_field(WINS, bet("b1"), disconnects=[left(seen=5)])
            == "disconnects[0].cards_seen"
        )
        assert (
            rejected_field(WINS, bet("b1"), disconnects=[left(seen=-1)])
            == "disconnects[0].cards_seen"
        )

    def test_are_unique_by_player(self) -> None:
        """Also for a player without a bet."""
        stranger = left(who="p-9")

        assert verdict_of(WINS, bet("b1"), disconnects=[stranger, left()]) == "settled"
        twice = [stranger, left(), left(IN_TIME, who="p-9")]
        assert rejected_field(WINS, bet("b1"), disconnects=twice) == "disconnects[2].player"


class TestDetail14Limits:
    """Replay does not know table limits."""

    @pytest.mark.parametrize("stake", ["100.00", "100.01", "999999999999.99"])
    def test_do_not_hold_a_round(self, stake: str) -> None:
        """Zappit's 100.00 is a table's limit."""
        assert verdict_of(WINS, bet("b1", stake=stake), rules=ZAP) == "settled"

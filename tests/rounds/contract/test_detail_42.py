"""Contract, "Off line, malfunction, bonus": detail 42, each point by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    BJ,
    MFB,
    QB,
    ZAP,
    Document,
    bet,
    found,
    graded,
    grades_in,
    left,
    result,
)

STAYS = bet("b2", player="p-2", box=2)
"""Eighteen on box 2, decided live; box 1 belongs to p-1, who leaves."""
NO_POINTS = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
"""Nineteen and eighteen against eighteen."""


def off_line(
    text: str,
    item: Document,
    disconnect: Document,
    *others: Document,
    rules: str = QB,
    **fields: object,
) -> list[str]:
    """What the bet of the player who left and that of who stayed come to."""
    return graded(text, item, STAYS, *others, rules=rules, disconnects=[disconnect], **fields)


def wrong(
    text: str, item: Document, disconnect: Document, *others: Document, rules: str = QB
) -> str:
    """What is wrong with the round."""
    return found(text, item, STAYS, *others, rules=rules, disconnects=[disconnect])


@pytest.mark.parametrize("rules", [MFB, QB])
class TestDetail42AHandFinishedOffLine:
    """On the cards that were seen, then on the player's own."""

    def test_is_split_and_doubled_against_a_dealer_of_its_own(self, rules: str) -> None:
        """Five cards were seen.

        Off line the dealer has 6, 5, 9: twenty. Eights split: 8, 3 doubled with a ten is 21, two
        stakes won: 40; eighteen loses. Live he has 6, 10, 5: 21, and eighteen loses.
        """
        text = "1:8S 2:9C D:6D 1:8H 2:9D D:TC D:5S"
        disconnect = left(seen=5, own="D:5H 1a:3C 1a:TH 1b:TC D:9S")
        item = bet("b1", play="PD,", raised="20.00")

        assert off_line(text, item, disconnect, rules=rules) == ["win 40.00", "lose 0.00"]

    def test_goes_on_with_a_double_that_was_seen(self, rules: str) -> None:
        """Eleven doubled to 21 live; the dealer draws to 21 off line, to eighteen live."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:2C 1:TH D:6S"
        item = bet("b1", play="D", raised="10.00")

        assert off_line(text, item, left(seen=7, own="D:9H"), rules=rules) == [
            *("push 20.00", "push 10.00"),
        ]

    def test_gets_its_double_back_from_an_off_line_blackjack_under_a_ten(self, rules: str) -> None:
        """Live the dealer has eighteen."""
        text = "1:5S 2:9C D:KD 1:6H 2:9D D:8C"
        item = bet("b1", play="D", raised="10.00")

        assert off_line(text, item, left(seen=5, own="D:AS 1:TH"), rules=rules) == [
            *("lose 10.00", "push 10.00"),
        ]

    def test_is_insured_off_line_too(self, rules: str) -> None:
        """Live a blackjack, off line nineteen: his insurance loses, the other's wins."""
        text = "1:9S 2:9C D:AD 1:TH 2:9D D:KC"
        insured = bet("b3", "insurance", "5.00")
        other = bet("b4", "insurance", "5.00", player="p-2", box=2)

        output = off_line(text, bet("b1"), left(seen=5, own="D:8S"), insured, other, rules=rules)

        assert output == ["push 10.00", "lose 0.00", "lose 0.00", "win 15.00"]

    def test_may_be_golden(self, rules: str) -> None:
        """Eleven doubled to 21: 20 won and the cash of 10 back."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:8C"
        item = bet("b1", play="D", raised="10.00", funding="golden")

        assert off_line(text, item, left(seen=6, own="1:TH"), rules=rules)[0] == "win 30.00"

    def test_that_is_bust_leaves_the_dealer_free_but_not_half_way(self, rules: str) -> None:
        """Twelve: undrawn, or drawn to the end; live he drew to 21 for box 2."""
        text = "1:9S 2:9C D:TD 1:7H 2:9D D:2C D:9S"
        item = bet("b1", play="H")

        assert off_line(text, item, left(seen=6, own="1:8C"), rules=rules)[0] == "lose 0.00"
        assert wrong(text, item, left(seen=6, own="1:8C D:2H"), rules=rules) == "missing-card"
        assert off_line(text, item, left(seen=6, own="1:8C D:2H D:3H"), rules=rules) == [
            *("lose 0.00", "lose 0.00"),
        ]
        assert wrong(text, item, left(seen=6, own="1:8C D:5H D:AH"), rules=rules) == "extra-card"

    def test_needs_the_dealers_cards_where_it_stands(self, rules: str) -> None:
        """Sixteen stood on twelve of the dealer."""
        text = "1:9S 2:9C D:TD 1:7H 2:9D D:2C D:9S"
        item = bet("b1", play="S")

        assert wrong(text, item, left(seen=5, own="D:2S"), rules=rules) == "missing-card"
        bust = off_line(text, item, left(seen=5, own="D:2S D:TH"), rules=rules)[0]
        assert bust == ("push 10.00" if rules == QB else "win 20.00")  # of three cards

    def test_explains_the_live_cards_that_were_seen_and_no_others(self, rules: str) -> None:
        """Two on box 1: one hit live and one off line, or the dealer dealt on to nobody."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:8C 1:2C"
        item, two = bet("b1", play="H"), bet("b1", play="HH")

        assert off_line(text, two, left(seen=7, own="1:6C"), rules=rules)[0] == "win 20.00"
        assert wrong(text, item, left(seen=6, own="1:TC"), rules=rules) == "extra-card"
        assert wrong(text, two, left(seen=6, own="1:2D 1:6C"), rules=rules) == "extra-card"

    def test_leaves_side_bets_to_the_live_upcard(self, rules: str) -> None:
        """Live 8, 8, 8 of different suits, 30:1; off line the dealer shows a ten."""
        text = "1:8S 2:9C D:8D 1:8H 2:9D D:TC"
        disconnect = left(seen=2, own="D:TS 1:9H D:7C")
        side_bet = bet("b3", "21+3", "1.00"), bet("b4", "player_pair", "1.00")

        output = off_line(text, bet("b1"), disconnect, *side_bet, rules=rules)

        assert output == ["push 10.00", "push 10.00", "win 31.00", "win 7.00"]

    def test_obeys_all_rules_at_once(self, rules: str) -> None:
        """A hit after a stand, nothing raised for a double, a card that nothing explains."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:8C"
        disconnect = left(seen=6, own="1:2C 1:3C 1b:4C")

        assert wrong(text, bet("b1", play="SHD"), disconnect, rules=rules) == (
            "extra-card illegal-play raise-mismatch"
        )

    def test_does_not_need_other_players_cards_explained(self, rules: str) -> None:
        """Box 2 was split live, and goes on off line as if it were there."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:8C 2a:TS 2b:TH"
        splits = bet("b2", player="p-2", box=2, play="P,", raised="10.00")
        disconnect = left(seen=7, own="2b:2H 2:3H 1:TC")

        output = graded(text, bet("b1", play="H"), splits, rules=rules, disconnects=[disconnect])

        assert output == ["win 20.00", "win 40.00"]

    def test_belongs_to_each_player_who_left(self, rules: str) -> None:
        """One box, two who left: sixteen hit to 21 by one, to bust by the other."""
        text = "1:9S 2:9C D:TD 1:7H 2:9D D:8C"
        first, second = bet("b1", play="H"), bet("b3", player="p-3", play="H")
        disconnects = [left(seen=6, own="1:5C"), left(seen=6, own="1:8C", who="p-3")]

        output = graded(text, first, STAYS, second, rules=rules, disconnects=disconnects)

        assert output == ["win 20.00", "push 10.00", "lose 0.00"]

    def test_is_live_without_cards_of_its_own(self, rules: str) -> None:
        """Or with an empty list, whatever was seen."""
        text = "1:9S 2:9C D:TD 1:7H 2:9D D:8C 1:5C"

        for disconnect in (left(seen=2), left(), left(seen=7) | {"cards": []}):
            assert off_line(text, bet("b1", play="H"), disconnect, rules=rules)[0] == "win 20.00"


class TestDetail42AtOneTable:
    """What only one of the two games has."""

    def test_pushes_on_a_bust_of_three_cards_off_line(self) -> None:
        """Quantum: 10, 6, 9; with the eight of hearts times three it wins 30."""
        text = "1:9S 2:9C D:TD 1:8H 2:9D D:8C"
        disconnect = left(seen=5, own="D:6S D:9H")
        times_three = {"8H": "3", "QS": "5", "QD": "10"}

        assert off_line(text, bet("b1"), disconnect) == ["push 10.00", "push 10.00"]
        assert off_line(text, bet("b1"), disconnect, multipliers=times_three) == [
            *("win 30.00", "push 10.00"),
        ]

    def test_wins_with_ten_cards_off_line(self) -> None:
        """Mega Fire Blaze: eighteen on ten cards against eighteen."""
        text = "1:AS 2:9C D:TD 1:AH 2:9D D:8C"
        disconnect = left(seen=6, own="1:AD 1:AC 1:2S 1:2H 1:2D 1:2C 1:3S 1:3H")

        assert off_line(text, bet("b1", play="H" * 8), disconnect, rules=MFB) == [
            *("win 20.00", "push 10.00"),
        ]

    def test_earns_no_points_off_line(self) -> None:
        """Mega Fire Blaze: five cards and two Aces of the dealer off line, eighteen live."""
        disconnect = left(seen=2, own="D:AS 1:9H 2:9H D:AH D:2C D:2D D:AC")
        blaze = bet("b3", "mega_fire_blaze", "1.00")

        output = result(NO_POINTS, bet("b1"), STAYS, blaze, rules=MFB, disconnects=[disconnect])

        assert output["bonus"] == {"points": 0, "level": None, "multiplier": None}
        assert grades_in(output)[2] == "lose 0.00"

    @pytest.mark.parametrize("rules", [BJ, ZAP])
    def test_is_not_the_rule_elsewhere(self, rules: str) -> None:
        """A play still calls for its live cards."""
        disconnect = left(seen=4, own="1:TC")
        text = "1:9S D:TD 1:7H D:8C"

        assert (
            found(text, bet("b1", play="H"), rules=rules, disconnects=[disconnect])
            == "missing-card"
        )
        assert found(
            f"{text} 1:5C", bet("b1", play="H"), rules=rules, disconnects=[disconnect]
        ) == ("settled")

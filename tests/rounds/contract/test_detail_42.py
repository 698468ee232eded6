"""Contract, "Off line, malfunction, bonus": detail 42, each point by a case worked out by hand."""

import pytest

from tests.rounds.contract.by_hand import (
    BET_ON_BOX_2,
    BJ,
    MFB,
    MFB_WINS,
    QB,
    ZAP,
    Document,
    bet,
    graded,
    grades_in,
    left,
    off_line_verdict,
    result,
    verdict_of,
)


def off_line(
    text: str,
    item: Document,
    disconnect: Document,
    *others: Document,
    rules: str = QB,
    **fields: object,
) -> list[str]:
    """Grades of p-1's bet, then of the bet on box 2."""
    return graded(
        text, item, BET_ON_BOX_2, *others, rules=rules, disconnects=[disconnect], **fields
    )


@pytest.mark.parametrize("rules", [MFB, QB])
class TestDetail42AHandFinishedOffLine:
    """Settled on the live cards seen before the disconnect, then on the player's own cards."""

    def test_is_split_and_doubled_against_its_own_dealer_cards(self, rules: str) -> None:
        """Five cards were seen.

        Off line the dealer has 6, 5, 9: twenty. Eights split: 8, 3 doubled with a ten is 21, two
        stakes won: 40; eighteen loses. Live he has 6, 10, 5: 21, and eighteen loses.
        """
        text = "1:8S 2:9C D:6D 1:8H 2:9D D:TC D:5S"
        disconnect = left(seen=5, own="D:5H 1a:3C 1a:TH 1b:TC D:9S")
        item = bet("b1", play="PD,", raised="20.00")

        assert off_line(text, item, disconnect, rules=rules) == ["win 40.00", "lose 0.00"]

    def test_includes_a_double_seen_before_the_disconnect(self, rules: str) -> None:
        """Eleven doubled to 21 live; the dealer draws to 21 off line, to eighteen live."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:2C 1:TH D:6S"
        item = bet("b1", play="D", raised="10.00")

        assert off_line(text, item, left(seen=7, own="D:9H"), rules=rules) == [
            *("push 20.00", "push 10.00"),
        ]

    def test_gets_its_double_back_against_an_off_line_dealer_blackjack(self, rules: str) -> None:
        """The dealer shows a king; live the dealer has eighteen."""
        text = "1:5S 2:9C D:KD 1:6H 2:9D D:8C"
        item = bet("b1", play="D", raised="10.00")

        assert off_line(text, item, left(seen=5, own="D:AS 1:TH"), rules=rules) == [
            *("lose 10.00", "push 10.00"),
        ]

    def test_settles_its_insurance_on_the_off_line_cards(self, rules: str) -> None:
        """Live a blackjack, off line nineteen: p-1's insurance loses, p-2's wins."""
        text = "1:9S 2:9C D:AD 1:TH 2:9D D:KC"
        insured = bet("b3", "insurance", "5.00")
        other = bet("b4", "insurance", "5.00", player="p-2", box=2)

        output = off_line(text, bet("b1"), left(seen=5, own="D:8S"), insured, other, rules=rules)

        assert output == ["push 10.00", "lose 0.00", "lose 0.00", "win 15.00"]

    def test_may_be_staked_with_a_golden_chip(self, rules: str) -> None:
        """Eleven doubled to 21: 20 won and the cash of 10 back."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:8C"
        item = bet("b1", play="D", raised="10.00", funding="golden")

        assert off_line(text, item, left(seen=6, own="1:TH"), rules=rules)[0] == "win 30.00"

    def test_that_busts_lets_the_dealer_draw_completely_or_not_at_all(self, rules: str) -> None:
        """The dealer has twelve: no card, or drawn to the end; live drawn to 21 for box 2."""
        text = "1:9S 2:9C D:TD 1:7H 2:9D D:2C D:9S"
        item = bet("b1", play="H")

        assert off_line(text, item, left(seen=6, own="1:8C"), rules=rules)[0] == "lose 0.00"
        assert (
            off_line_verdict(text, item, left(seen=6, own="1:8C D:2H"), rules=rules)
            == "missing-card"
        )
        assert off_line(text, item, left(seen=6, own="1:8C D:2H D:3H"), rules=rules) == [
            *("lose 0.00", "lose 0.00"),
        ]
        assert (
            off_line_verdict(text, item, left(seen=6, own="1:8C D:5H D:AH"), rules=rules)
            == "extra-card"
        )

    def test_that_stands_requires_the_dealers_draw(self, rules: str) -> None:
        """Sixteen stands; the dealer's twelve has to draw."""
        text = "1:9S 2:9C D:TD 1:7H 2:9D D:2C D:9S"
        item = bet("b1", play="S")

        assert off_line_verdict(text, item, left(seen=5, own="D:2S"), rules=rules) == "missing-card"
        bust = off_line(text, item, left(seen=5, own="D:2S D:TH"), rules=rules)[0]
        assert bust == ("push 10.00" if rules == QB else "win 20.00")  # of three cards

    def test_explains_only_live_cards_seen_before_the_disconnect(self, rules: str) -> None:
        """Box 1 hits once live and once off line; any other card on it is an extra card."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:8C 1:2C"
        item, two = bet("b1", play="H"), bet("b1", play="HH")

        assert off_line(text, two, left(seen=7, own="1:6C"), rules=rules)[0] == "win 20.00"
        assert off_line_verdict(text, item, left(seen=6, own="1:TC"), rules=rules) == "extra-card"
        assert (
            off_line_verdict(text, two, left(seen=6, own="1:2D 1:6C"), rules=rules) == "extra-card"
        )

    def test_settles_side_bets_on_the_live_cards(self, rules: str) -> None:
        """Live 8, 8, 8 of different suits, 30:1; off line the dealer shows a ten."""
        text = "1:8S 2:9C D:8D 1:8H 2:9D D:TC"
        disconnect = left(seen=2, own="D:TS 1:9H D:7C")
        side_bet = bet("b3", "21+3", "1.00"), bet("b4", "player_pair", "1.00")

        output = off_line(text, bet("b1"), disconnect, *side_bet, rules=rules)

        assert output == ["push 10.00", "push 10.00", "win 31.00", "win 7.00"]

    def test_reports_all_anomalies_together(self, rules: str) -> None:
        """A hit after a stand, no raise for a double, a card that nothing explains."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:8C"
        disconnect = left(seen=6, own="1:2C 1:3C 1b:4C")

        assert off_line_verdict(text, bet("b1", play="SHD"), disconnect, rules=rules) == (
            "extra-card illegal-play raise-mismatch"
        )

    def test_accepts_off_line_cards_of_other_boxes(self, rules: str) -> None:
        """Box 2 is split live; the off-line cards continue it without p-2."""
        text = "1:5S 2:9C D:TD 1:6H 2:9D D:8C 2a:TS 2b:TH"
        splits = bet("b2", player="p-2", box=2, play="P,", raised="10.00")
        disconnect = left(seen=7, own="2b:2H 2:3H 1:TC")

        output = graded(text, bet("b1", play="H"), splits, rules=rules, disconnects=[disconnect])

        assert output == ["win 20.00", "win 40.00"]

    def test_is_settled_for_each_disconnected_player(self, rules: str) -> None:
        """One box, two disconnected players: sixteen hit to 21 by one, to bust by the other."""
        text = "1:9S 2:9C D:TD 1:7H 2:9D D:8C"
        first, second = bet("b1", play="H"), bet("b3", player="p-3", play="H")
        disconnects = [left(seen=6, own="1:5C"), left(seen=6, own="1:8C", who="p-3")]

        output = graded(text, first, BET_ON_BOX_2, second, rules=rules, disconnects=disconnects)

        assert output == ["win 20.00", "push 10.00", "lose 0.00"]

    def test_without_own_cards_is_settled_on_the_live_cards(self, rules: str) -> None:
        """An empty list counts as no cards, for any number of cards seen."""
        text = "1:9S 2:9C D:TD 1:7H 2:9D D:8C 1:5C"

        for disconnect in (left(seen=2), left(), left(seen=7) | {"cards": []}):
            assert off_line(text, bet("b1", play="H"), disconnect, rules=rules)[0] == "win 20.00"


class TestDetail42AtOneTable:
    """Rules that only one game has."""

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

        output = result(
            MFB_WINS, bet("b1"), BET_ON_BOX_2, blaze, rules=MFB, disconnects=[disconnect]
        )

        assert output["bonus"] == {"points": 0, "level": None, "multiplier": None}
        assert grades_in(output)[2] == "lose 0.00"

    @pytest.mark.parametrize("rules", [BJ, ZAP])
    def test_does_not_apply_at_blackjack_and_zappit(self, rules: str) -> None:
        """The hit needs its live card; off-line cards are ignored."""
        disconnect = left(seen=4, own="1:TC")
        text = "1:9S D:TD 1:7H D:8C"

        assert (
            verdict_of(text, bet("b1", play="H"), rules=rules, disconnects=[disconnect])
            == "missing-card"
        )
        assert verdict_of(
            f"{text} 1:5C", bet("b1", play="H"), rules=rules, disconnects=[disconnect]
        ) == ("settled")

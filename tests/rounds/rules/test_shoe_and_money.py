"""A shoe across rounds, amounts and odds."""

import pytest

from rounds.rules.facts import ShoeOpening
from rounds.rules.money import InvalidAmount, format_cents, parse_cents
from rounds.rules.odds import Odds
from rounds.rules.shoe import Shoe
from tests.rounds.rules.dealing import ZAPPIT, bet, dealt, judged

ROUND = "1:9S D:TD 1:TC D:8C"


class TestAShoe:
    """Contract, details 33 to 36."""

    def test_that_is_not_announced_has_no_gap(self) -> None:
        """Detail 33: it starts where its first round begins."""
        assert judged(dealt(ROUND, bet(), drawn=300), Shoe()).anomalies == ()
        assert judged(dealt(ROUND, bet(), drawn=300), None).anomalies == ()

    def test_starts_after_its_burnt_cards(self) -> None:
        """Detail 33: one face up and five face down."""
        shoe = Shoe.opened(ShoeOpening("s", "t", 0, ("5H",), 5))

        assert judged(dealt(ROUND, bet(), drawn=6), shoe).anomalies == ()
        assert judged(dealt(ROUND, bet(), drawn=7), shoe).anomalies == ("shoe-gap",)
        assert judged(dealt(ROUND, bet(), drawn=0), shoe).anomalies == ("shoe-gap",)

    def test_moves_to_the_end_of_the_round(self) -> None:
        """Detail 34: its ``drawn`` plus its cards, from any position before."""
        shoe = Shoe.opened(ShoeOpening("s", "t", 0, (), 0))

        assert shoe.after(dealt(ROUND, bet(), drawn=100)).position == 104
        assert shoe.after(dealt(ROUND, bet(), rules=ZAPPIT)).position == 4

    def test_counts_face_up_burnt_cards_as_copies(self) -> None:
        """Detail 35: all eight copies burnt, a ninth dealt."""
        burnt = Shoe.opened(ShoeOpening("s", "t", 0, ("9S",) * 8, 0))

        assert judged(dealt(ROUND, bet(), drawn=8), burnt).anomalies == ("too-many-copies",)

    def test_holds_only_a_round_with_an_excess_card(self) -> None:
        """Detail 35: nine threes burnt do not matter to a round without threes."""
        burnt = Shoe.opened(ShoeOpening("s", "t", 0, ("3S",) * 9, 0))

        assert judged(dealt(ROUND, bet(), drawn=9), burnt).anomalies == ()

    def test_counts_up_to_255_copies(self) -> None:
        """In an endless shoe a count of 255 means that or more."""
        shoe = Shoe()
        for _ in range(300):
            shoe = shoe.after(dealt(ROUND, bet()))

        assert max(shoe.seen) == 255
        assert judged(dealt(ROUND, bet(), drawn=4), shoe).anomalies == ("too-many-copies",)


class TestALimit:
    """Contract, detail 14: minimum and maximum stake are both allowed."""

    @pytest.mark.parametrize(
        ("stake", "breaks"), [(99, True), (100, False), (101, False), (5000, False), (5001, True)]
    )
    def test_excludes_stakes_outside_it(self, stake: int, breaks: bool) -> None:
        """One euro to fifty."""
        verdict = judged(dealt(ROUND, bet(stake=stake)), limits={"main": (100, 5000)})

        assert verdict.anomalies == (("stake-limits",) if breaks else ())


class TestAnAmount:
    """Contract, detail 4."""

    @pytest.mark.parametrize(
        ("text", "cents"), [("10.00", 1000), ("10", 1000), ("0.1", 10), ("0.01", 1), ("0", 0)]
    )
    def test_is_read_from_euro(self, text: str, cents: int) -> None:
        """With none, one or two decimals."""
        assert parse_cents(text) == cents

    @pytest.mark.parametrize("text", ["", "01", "-1", "1.000", "1,00", "1e3", " 1", "\u0661"])
    def test_of_another_form_is_rejected(self, text: str) -> None:
        """Nothing is guessed."""
        with pytest.raises(InvalidAmount):
            parse_cents(text)

    @pytest.mark.parametrize(
        ("cents", "text"),
        [(0, "0.00"), (5, "0.05"), (1050, "10.50"), (-105, "-1.05"), (-1, "-0.01")],
    )
    def test_is_written_with_two_decimals(self, cents: int, text: str) -> None:
        """Output always has two."""
        assert format_cents(cents) == text


class TestOdds:
    """Exact fractions, rounded once."""

    @pytest.mark.parametrize(
        ("odds", "stake", "won"),
        [
            (Odds(3, 2), 1, 2),
            (Odds(3, 2), 2, 3),
            (Odds(19, 20), 10, 10),
            (Odds(19, 20), 9, 9),
            (Odds(27, 50), 1, 1),
            (Odds(27, 50), 100, 54),
            (Odds(1, 3), 1, 0),
            (Odds(1, 3), 2, 1),
        ],
    )
    def test_round_winnings_half_up(self, odds: Odds, stake: int, won: int) -> None:
        """1.5, 3, 9.5, 8.55, 0.54, 54, 0.33, 0.67."""
        assert odds.winnings(stake) == won

    def test_are_multiplied_and_added_exactly(self) -> None:
        """3:2 by 2.5 and 3 is 8.25:1."""
        factor = Odds(5, 2).plus(Odds(3, 1))

        assert Odds(3, 2).times(factor).winnings(400) == 3300

    def test_are_printed_as_won_to_staked(self) -> None:
        """3:2."""
        assert str(Odds(3, 2)) == "3:2"

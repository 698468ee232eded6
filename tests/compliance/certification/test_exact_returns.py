"""Returns as exact fractions, and their text."""

from fractions import Fraction

import pytest

from compliance.certification.returns.exact_returns import (
    BetReturn,
    Outcome,
    payout_of,
    percent_text,
)
from rounds.rules.odds import Odds


def coin(chance: Fraction = Fraction(1, 4)) -> BetReturn:
    """A bet that wins 2:1 with this chance, pushes half of the time, and else loses."""
    return BetReturn(
        rules="coin/1",
        kind="heads",
        outcomes=(
            Outcome("heads", chance, payout_of(Odds(2, 1))),
            Outcome("edge", Fraction(1, 2), Fraction(1)),
            Outcome("tails", Fraction(1, 4), Fraction()),
        ),
    )


class TestABetReturn:
    """Worked out by hand: 3 with one quarter, 1 with one half, 0 with one quarter."""

    def test_has_expected_return_and_hit_rate(self) -> None:
        """3/4 and 1/2 are 5/4; only heads is a hit."""
        assert coin().rtp == Fraction(5, 4)
        assert coin().hit_frequency == Fraction(1, 4)

    def test_has_the_variance_of_the_payout(self) -> None:
        """Squares expect 9/4 + 1/2 = 11/4, less 25/16."""
        assert coin().variance == Fraction(19, 16)

    def test_rejects_probabilities_that_do_not_add_up_to_one(self) -> None:
        """ValueError."""
        with pytest.raises(ValueError, match=r"coin/1 heads: the probabilities add up to 4/5"):
            coin(Fraction(1, 20))


class TestPercent:
    """Six decimals, halves up."""

    @pytest.mark.parametrize(
        ("share", "places", "text"),
        [
            (Fraction(398, 415), 6, "95.903614"),
            (Fraction(398, 415), 2, "95.90"),
            (Fraction(1), 6, "100.000000"),
            (Fraction(1, 3), 6, "33.333333"),
            (Fraction(2, 3), 6, "66.666667"),
            (Fraction(1, 20_000), 2, "0.01"),
            (Fraction(-607_202, 100_000_000), 4, "-0.6072"),
            (Fraction(-1, 3), 1, "-33.3"),
        ],
    )
    def test_is_rounded_from_the_exact_share(self, share: Fraction, places: int, text: str) -> None:
        """Without a float."""
        assert percent_text(share, places=places) == text

"""The return of a bet as exact fractions, and how such a fraction is written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from rounds.rules.odds import Odds

_HUNDRED: Final = 100


class Outcome(NamedTuple):
    """One way in which a bet can end."""

    name: str
    """A combination, a level, a bet's kind: what the settlement gives as the reason."""
    probability: Fraction
    pays: Fraction
    """What a unit staked gets back, the stake included: 0 for a loss, 1 for a push."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetReturn:
    """What a bet of one kind is worth for each unit staked; a freshly shuffled shoe.

    ValueError where the probabilities of the outcomes do not add up to one exactly.
    """

    rules: str
    kind: str
    outcomes: tuple[Outcome, ...]

    def __post_init__(self) -> None:
        whole = sum(outcome.probability for outcome in self.outcomes)
        if whole != 1:
            raise ValueError(f"{self.rules} {self.kind}: the probabilities add up to {whole}")

    @property
    def rtp(self) -> Fraction:
        """The expected payout, stake included: the return to player."""
        return self._expected(lambda pays: pays)

    @property
    def hit_frequency(self) -> Fraction:
        """How often the bet wins, that is gives back more than was staked."""
        return self._expected(lambda pays: Fraction(pays > 1))

    @property
    def variance(self) -> Fraction:
        """Of the payout of one unit staked."""
        mean = self.rtp
        return self._expected(lambda pays: (pays - mean) ** 2)

    def _expected(self, of: Callable[[Fraction], Fraction]) -> Fraction:
        terms = (outcome.probability * of(outcome.pays) for outcome in self.outcomes)
        return sum(terms, Fraction())


def bet_return(
    rules: str, kind: str, chances: Mapping[str, Fraction], pays: Mapping[str, Fraction]
) -> BetReturn:
    """The return of a bet whose outcomes come with these chances; one that is not paid loses."""
    outcomes = tuple(
        Outcome(name, chance, pays.get(name, Fraction())) for name, chance in chances.items()
    )
    return BetReturn(rules=rules, kind=kind, outcomes=outcomes)


def payout_of(odds: Odds) -> Fraction:
    """What a unit staked gets back when it wins at these odds, the stake included."""
    return 1 + Fraction(odds.won, odds.staked)


def percent_text(share: Fraction, *, places: int = 6) -> str:
    """A share as per cent with so many decimals, halves rounded up: ``"95.903614"``."""
    scale = 10**places
    parts = (2 * share * _HUNDRED * scale + 1) // 2
    whole, decimals = divmod(abs(parts), scale)
    sign = "-" if parts < 0 else ""
    return f"{sign}{whole}.{decimals:0{places}d}"

"""The return of a bet as exact fractions, and their formatting."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from rounds.rules.odds import Odds

_HUNDRED: Final = 100


class Outcome(NamedTuple):
    """One outcome of a bet."""

    name: str
    """The reason that the settlement gives: a combination, a level, a bet kind."""
    probability: Fraction
    pays: Fraction
    """Payout per unit staked, stake included: 0 for a loss, 1 for a push."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetReturn:
    """The return of a bet kind per unit staked, from a freshly shuffled shoe.

    Raises ValueError unless the probabilities of the outcomes add up to exactly one.
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
        """Return to player: the expected payout, stake included."""
        return self._expected(lambda pays: pays)

    @property
    def hit_frequency(self) -> Fraction:
        """The chance of a payout above the stake."""
        return self._expected(lambda pays: Fraction(pays > 1))

    @property
    def variance(self) -> Fraction:
        """Variance of the payout per unit staked."""
        mean = self.rtp
        return self._expected(lambda pays: (pays - mean) ** 2)

    def _expected(self, of: Callable[[Fraction], Fraction]) -> Fraction:
        terms = (outcome.probability * of(outcome.pays) for outcome in self.outcomes)
        return sum(terms, Fraction())


def bet_return(
    rules: str, kind: str, chances: Mapping[str, Fraction], pays: Mapping[str, Fraction]
) -> BetReturn:
    """The return of a bet with these outcome chances; outcomes missing in ``pays`` lose."""
    outcomes = tuple(
        Outcome(name, chance, pays.get(name, Fraction())) for name, chance in chances.items()
    )
    return BetReturn(rules=rules, kind=kind, outcomes=outcomes)


def payout_of(odds: Odds) -> Fraction:
    """Payout per unit staked of a win at these odds, stake included."""
    return 1 + Fraction(odds.won, odds.staked)


def percent_text(share: Fraction, *, places: int = 6) -> str:
    """A fraction in per cent with ``places`` decimals, halves rounded up: ``"95.903614"``."""
    scale = 10**places
    parts = (2 * share * _HUNDRED * scale + 1) // 2
    whole, decimals = divmod(abs(parts), scale)
    sign = "-" if parts < 0 else ""
    return f"{sign}{whole}.{decimals:0{places}d}"

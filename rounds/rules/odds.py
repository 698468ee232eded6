"""Odds and shares as exact fractions."""

from dataclasses import dataclass
from typing import NamedTuple


class Odds(NamedTuple):
    """``Odds(3, 2)`` is "3:2": three won for two staked, in addition to the stake."""

    won: int
    staked: int

    def winnings(self, stake_cents: int) -> int:
        """The winnings of a stake in cents, rounded half up (readings: shared rounding rule)."""
        return (2 * stake_cents * self.won + self.staked) // (2 * self.staked)

    def times(self, factor: "Odds") -> "Odds":
        """These odds multiplied by a factor, exactly."""
        return Odds(self.won * factor.won, self.staked * factor.staked)

    def plus(self, other: "Odds") -> "Odds":
        """The exact sum."""
        won = self.won * other.staked + other.won * self.staked
        return Odds(won, self.staked * other.staked)

    def __str__(self) -> str:
        return f"{self.won}:{self.staked}"


@dataclass(frozen=True, slots=True)
class Percent:
    """A share as a percentage: ``Percent(Odds(1, 20))`` is five per cent."""

    share: Odds


@dataclass(frozen=True, slots=True)
class AnyOdds:
    """The odds of one combination at different bets, usually one."""

    odds: tuple[Odds, ...]

"""What a bet wins for each unit staked, as an exact fraction."""

from typing import NamedTuple


class Odds(NamedTuple):
    """``Odds(3, 2)`` is "3:2": three won for two staked, the stake comes back besides."""

    won: int
    staked: int

    def winnings(self, stake_cents: int) -> int:
        """What a stake wins, in cents, rounded half up once (readings: shared rounding rule)."""
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

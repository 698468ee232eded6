"""What a bet wins for each unit staked, as an exact fraction."""

from typing import NamedTuple


class Odds(NamedTuple):
    """``Odds(3, 2)`` is "3:2": three won for two staked, the stake comes back besides."""

    won: int
    staked: int

    def winnings(self, stake_cents: int) -> int:
        """What a stake wins, in cents, rounded half up once (readings: shared rounding rule)."""
        return (2 * stake_cents * self.won + self.staked) // (2 * self.staked)

    def times(self, *factors: "Odds") -> "Odds":
        """These odds multiplied by the sum of the factors, exactly."""
        total, parts = 0, 1
        for factor in factors:
            total, parts = total * factor.staked + factor.won * parts, parts * factor.staked
        return Odds(self.won * total, self.staked * parts)

    def __str__(self) -> str:
        return f"{self.won}:{self.staked}"

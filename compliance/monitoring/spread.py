"""How far returns of bets may lie from what they are worth. Pure: no database.

The unit is the round: bets of one round share its cards, so their money is taken together.
"""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple


class Sums(NamedTuple):
    """Sums over rounds, each with all its bets of a kind taken together; cents, cents squared."""

    rounds: int = 0
    bets: int = 0
    staked_cents: int = 0
    payout_cents: int = 0
    staked_squared: int = 0
    staked_by_payout: int = 0
    payout_squared: int = 0

    @property
    def returned(self) -> float | None:
        """Paid by staked, None where nothing was staked."""
        return self.payout_cents / self.staked_cents if self.staked_cents else None

    @property
    def standard_error(self) -> float | None:
        """Of the return, told by how its own rounds differ; None for fewer than two rounds."""
        returned = self.returned
        if returned is None or self.rounds <= 1:
            return None
        squares = (
            self.payout_squared
            - 2 * returned * self.staked_by_payout
            + returned**2 * self.staked_squared
        )
        return sqrt(max(squares, 0.0) * self.rounds / (self.rounds - 1)) / self.staked_cents

    def certified_error(self, variance: float) -> float | None:
        """The standard error of the return if a unit staked has this variance.

        Right where all bets of a round have one outcome; where boxes have outcomes of their own it
        is at most this, so that nothing looks stranger than it is. None where nothing was staked.
        """
        if not self.staked_cents:
            return None
        return sqrt(variance * self.staked_squared) / self.staked_cents

    def z(self, certified: float, variance: float) -> float | None:
        """The certified standard errors by which the return is off; its sign says which way."""
        returned, error = self.returned, self.certified_error(variance)
        return None if returned is None or not error else (returned - certified) / error

    def limits(
        self, certified: float, variance: float, *, errors: int
    ) -> tuple[float, float] | None:
        """The returns so many certified standard errors below and above; nothing is below 0."""
        error = self.certified_error(variance)
        if error is None:
            return None
        return max(certified - errors * error, 0.0), certified + errors * error


def sum_of(parts: Iterable[Sums]) -> Sums:
    """All of them together."""
    columns = list(zip(*parts, strict=True))
    return Sums(*map(sum, columns)) if columns else Sums()

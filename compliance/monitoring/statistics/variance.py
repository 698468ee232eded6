"""Standard errors of returns. Pure: no database.

The unit is the round: bets of one round share its cards, so their money is added up.
"""

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple


class Sums(NamedTuple):
    """Sums over rounds of the money of all bets of a kind; cents and squared cents."""

    rounds: int = 0
    bets: int = 0
    staked_cents: int = 0
    payout_cents: int = 0
    staked_squared: int = 0
    staked_by_payout: int = 0
    payout_squared: int = 0

    @property
    def returned(self) -> float | None:
        """Payout by stake; None if nothing was staked."""
        return self.payout_cents / self.staked_cents if self.staked_cents else None

    @property
    def standard_error(self) -> float | None:
        """Empirical standard error of the return; None for fewer than two rounds."""
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
        """The standard error of the return for this variance per unit staked.

        Exact if all bets of a round share one outcome, else an upper bound. None if nothing was
        staked.
        """
        if not self.staked_cents:
            return None
        return sqrt(variance * self.staked_squared) / self.staked_cents

    def z(self, certified: float, variance: float) -> float | None:
        """The deviation of the return in certified standard errors."""
        returned, error = self.returned, self.certified_error(variance)
        return None if returned is None or not error else (returned - certified) / error

    def limits(
        self, certified: float, variance: float, *, errors: int
    ) -> tuple[float, float] | None:
        """The returns ``errors`` certified standard errors below and above, at least 0."""
        error = self.certified_error(variance)
        if error is None:
            return None
        return max(certified - errors * error, 0.0), certified + errors * error


def sum_of(parts: Iterable[Sums]) -> Sums:
    """The sum of all parts."""
    columns = list(zip(*parts, strict=True))
    return Sums(*map(sum, columns)) if columns else Sums()

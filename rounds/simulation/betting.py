"""Placing of simulated bets: a stake within the limits, in time or occasionally late."""

from typing import Final

from rounds.rules.limits import Limits
from rounds.simulation.chance import between, happens
from rounds.simulation.customers import Customer, stake_within
from rounds.simulation.round_in_play import RoundInPlay, Wager

_LATE: Final = 0.003
_LATE_MS: Final = (1, 2_500)


class Betting:
    """Places bets in a round, within these limits."""

    def __init__(self, *, game: RoundInPlay, limits: Limits) -> None:
        self._game = game
        self._limits = limits

    def kinds_besides(self, *kinds: str) -> tuple[str, ...]:
        """The bet kinds of the table other than these."""
        return tuple(kind for kind in self._limits if kind not in kinds)

    def place(
        self,
        customer: Customer,
        kind: str,
        stakes_cents: tuple[int, ...],
        *,
        box: int | None = None,
        counts: bool = True,
        after: int | None = None,
    ) -> Wager:
        """Place one of the stakes in cents on a kind, not before ``after``.

        The bet is void if ``counts`` is false, if it is late, or if the customer lost the
        connection before betting closed.
        """
        game = self._game
        late = happens(game.rng, _LATE)
        if late:
            placed_at = game.closed_at + between(game.rng, *_LATE_MS)
        else:
            earliest = min(after or game.opened_at, game.closed_at)
            placed_at = between(game.rng, earliest, game.closed_at)
        wager = Wager(
            customer=customer,
            kind=kind,
            stake_cents=stake_within(game.rng, stakes_cents, self._limits[kind]),
            placed_at=placed_at,
            box=box,
            counts=counts and not late and customer.number not in game.left_early,
        )
        game.wagers.append(wager)
        return wager

"""The bets of a simulated blackjack round: main bets, bets behind and side bets."""

from collections.abc import Sequence
from typing import Final

from rounds.rules.blackjack.declaration import BlackjackGame, Seating
from rounds.rules.limits import Limits
from rounds.simulation.attendance import Visitor
from rounds.simulation.betting import Betting
from rounds.simulation.chance import happens, pick
from rounds.simulation.customers import Customer
from rounds.simulation.round_in_play import RoundInPlay, Wager

_PLAYS_THIS_ROUND: Final = 0.93
_BACKS_ANY_BOX: Final = 0.03
_GOLDEN: Final = 0.05
_GOLDEN_SIDE_BET: Final = 0.4
_GOLDEN_STAKES_CENTS: Final = (100, 200, 500, 1_000)


class BlackjackBetting:
    """Places the bets of visitors and of a crowd in ``game.wagers``."""

    def __init__(self, *, game: RoundInPlay, rules: BlackjackGame, limits: Limits) -> None:
        self._game = game
        self._rules = rules
        self._betting = Betting(game=game, limits=limits)
        self._sides = self._betting.kinds_besides("main", "insurance")
        self._owners: dict[int, list[Wager]] = {}

    def place_bets(self, visitors: Sequence[Visitor]) -> None:
        """Place bets of the visitors on their boxes, then behind the boxes of others."""
        rng = self._game.rng
        for visitor in visitors:
            for box in visitor.boxes:
                if happens(rng, _PLAYS_THIS_ROUND):
                    self._stake_on(visitor.customer, box)
        if self._rules.seating is Seating.OWNED and self._owners:
            for visitor in visitors:
                if happens(rng, visitor.customer.habit.backs_others):
                    self._back(visitor.customer)

    def admit(self, customer: Customer) -> None:
        """Place a bet of a customer in a crowd: on a shared box, or behind an owner."""
        if self._rules.seating is Seating.SHARED:
            self._stake_on(customer, 1 + int(self._game.rng.random() * self._rules.boxes))
        elif self._rules.seating is Seating.OWNED and self._owners:
            self._back(customer)

    def _stake_on(self, customer: Customer, box: int) -> None:
        wager = self._betting.place(customer, "main", customer.habit.stakes_cents, box=box)
        if self._rules.golden_chips and happens(self._game.rng, _GOLDEN):
            wager.golden = True
            wager.stake_cents = pick(self._game.rng, _GOLDEN_STAKES_CENTS)
        self._owners.setdefault(box, []).append(wager)
        self._place_side_bets(wager)

    def _back(self, customer: Customer) -> None:
        rng = self._game.rng
        anywhere = happens(rng, _BACKS_ANY_BOX)
        box = 1 + int(rng.random() * self._rules.boxes) if anywhere else self._backed_box()
        owners = self._owners.get(box, [])
        # A bet behind one's own hand, or behind no hand, is void ([BJ] Puntata alle Spalle).
        counts = any(owner.counts and owner.customer != customer for owner in owners)
        wager = self._betting.place(
            customer, "main", customer.habit.stakes_cents, box=box, counts=counts
        )
        wager.behind = True
        wager.follows = customer.habit.follows
        if all(owner.customer != customer for owner in owners):
            self._place_side_bets(wager)

    def _backed_box(self) -> int:
        return pick(self._game.rng, list(self._owners))

    def _place_side_bets(self, main: Wager) -> None:
        customer = main.customer
        for kind in self._sides:
            if happens(self._game.rng, customer.habit.side_bets):
                stakes = customer.habit.side_stakes_cents
                side = self._betting.place(
                    customer, kind, stakes, box=main.box, counts=main.counts, after=main.placed_at
                )
                side.behind = main.behind
                side.golden = main.golden and happens(self._game.rng, _GOLDEN_SIDE_BET)

"""A simulated coup: bets, four cards, and third cards by the tableau."""

from collections.abc import Sequence
from typing import Final

from rounds.rules.baccarat.coup import (
    BANKER,
    BANKER_DRAWS,
    BANKER_DRAWS_UP_TO,
    NATURAL,
    PLAYER,
    PLAYER_DRAWS_UP_TO,
    POINTS,
    points_of,
)
from rounds.rules.baccarat.game import BACCARAT_1
from rounds.simulation.attendance import Visitor
from rounds.simulation.betting import Betting
from rounds.simulation.chance import happens, pick
from rounds.simulation.customers import Customer
from rounds.simulation.limits import DEMO_LIMITS
from rounds.simulation.round_in_play import RoundInPlay

_MAINS: Final = ("player",) * 8 + ("banker",) * 9 + ("tie",) * 2
_PLAYS_THIS_ROUND: Final = 0.85
_ONLY_SIDE_BETS: Final = 0.08


class BaccaratBetting:
    """Places the bets of visitors in ``game.wagers``."""

    def __init__(self, *, game: RoundInPlay) -> None:
        self._game = game
        self._betting = Betting(game=game, limits=DEMO_LIMITS[BACCARAT_1.name])
        self._sides = self._betting.kinds_besides(*_MAINS)

    def place_bets(self, visitors: Sequence[Visitor]) -> None:
        """Place bets of the visitors, most of them on one of the three main bets."""
        for visitor in visitors:
            if happens(self._game.rng, _PLAYS_THIS_ROUND):
                self.admit(visitor.customer)

    def admit(self, customer: Customer) -> None:
        """Place a customer's bets: a main bet with side bets, or only side bets."""
        rng, habit = self._game.rng, customer.habit
        sides = [kind for kind in self._sides if happens(rng, habit.side_bets / 2)]
        if not sides or not happens(rng, _ONLY_SIDE_BETS):
            self._betting.place(customer, pick(rng, _MAINS), habit.stakes_cents)
        for kind in sides:
            self._betting.place(customer, kind, habit.side_stakes_cents)


def burnt_face_down(face_up: str) -> int:
    """The number of cards burnt after this one: one for an Ace, ten for tens and figures."""
    return POINTS[face_up] or 10


def play_coup(game: RoundInPlay) -> None:
    """Deal a coup after its bets are placed."""
    hands: dict[str, list[str]] = {PLAYER: [], BANKER: []}
    for place in (PLAYER, BANKER, PLAYER, BANKER):
        hands[place].append(game.deal(place))
    player, banker = points_of(hands[PLAYER]), points_of(hands[BANKER])
    if max(player, banker) >= NATURAL:
        return
    game.wait(500, 1_500)
    if player <= PLAYER_DRAWS_UP_TO:
        banker_draws = BANKER_DRAWS[banker, POINTS[game.deal(PLAYER)]]
    else:
        banker_draws = banker <= BANKER_DRAWS_UP_TO
    if banker_draws:
        game.deal(BANKER)

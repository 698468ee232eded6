"""The simulated games of the blackjack family."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from rounds.rules.blackjack.declaration import BlackjackGame, Seating
from rounds.rules.blackjack.fire_blaze import FireBlaze
from rounds.rules.rule_set import RuleSet
from rounds.simulation.attendance import Attendance, Visitor
from rounds.simulation.blackjack_rounds.bets import BlackjackBetting
from rounds.simulation.blackjack_rounds.bonus_grid import BONUS_BET, level_earned, play_bonus
from rounds.simulation.blackjack_rounds.multiplier_cards import draw_multipliers
from rounds.simulation.blackjack_rounds.play_round import play_round
from rounds.simulation.chance import happens, pick
from rounds.simulation.customers import Customer
from rounds.simulation.dealing import Burn, Pace, Style
from rounds.simulation.limits import DEMO_LIMITS
from rounds.simulation.round_in_play import RoundInPlay
from rounds.simulation.shoe import ShuffledShoe
from rounds.simulation.weights import card_weights, grid_weights

_SITS_DOWN: Final = 0.6
_FURTHER_BOX: Final = 0.2
_PLAYED_FOR_NOBODY: Final = 0.3
_SPIN_MS: Final = (1_500, 2_500)


class BlackjackDealing:
    """One game of the family, by its declaration, with a number of places for visitors."""

    def __init__(self, *, rule_set: RuleSet, rules: BlackjackGame, places: int, pace: Pace) -> None:
        self.rule_set = rule_set
        self.pace = pace
        self.blaze = rules.bonus
        self._rules = rules
        self._places = places

    def burn(self, shoe: ShuffledShoe) -> Burn:
        """One card face down."""
        shoe.discard(1)
        return Burn(face_up=(), face_down=1)

    def attendance(self, rng: Random) -> Attendance:
        """Owners of boxes and onlookers, or players of shared boxes."""
        return Attendance(places=self._places, choose_boxes=self._choose_boxes, rng=rng)

    def place_bets(
        self, game: RoundInPlay, visitors: Sequence[Visitor], crowd: Iterable[Customer]
    ) -> None:
        """Visitors first; the crowd bets on shared boxes or behind the owners."""
        limits = DEMO_LIMITS[self.rule_set.name]
        betting = BlackjackBetting(game=game, rules=self._rules, limits=limits)
        betting.place_bets(visitors)
        for customer in crowd:
            betting.admit(customer)

    def may_start(self, game: RoundInPlay) -> bool:
        """Whether some box is in use."""
        if self._rules.always_dealt:
            return True
        return any(not wager.behind for wager in game.counting("main"))

    def play(self, game: RoundInPlay, style: Style) -> None:
        """Draw multiplier cards, play the hands and the bonus, as far as the game has them."""
        if self._rules.multipliers:
            game.multipliers = draw_multipliers(game.rng, card_weights(self.rule_set.name))
        play_round(game, rules=self._rules, style=style)
        if self.blaze is not None:
            self._play_bonus(game, self.blaze)

    def _play_bonus(self, game: RoundInPlay, blaze: FireBlaze) -> None:
        """Play an earned bonus if there is a bet on it, and occasionally without one."""
        name = level_earned(blaze, game.cards)
        bet_on = bool(game.counting(BONUS_BET))
        if name and (bet_on or happens(game.rng, _PLAYED_FOR_NOBODY)):
            weights = grid_weights(self.rule_set.name)[name]
            level = blaze.levels[name]
            game.bonus = play_bonus(game.rng, name=name, level=level, weights=weights)
            for _ in game.bonus.spins:
                game.wait(*_SPIN_MS)

    def _choose_boxes(self, rng: Random, taken: tuple[int, ...]) -> tuple[int, ...]:
        shared = self._rules.seating is Seating.SHARED
        boxes = range(1, self._rules.boxes + 1)
        free = [box for box in boxes if shared or box not in taken]
        looks_on = self._rules.seating is Seating.OWNED and not happens(rng, _SITS_DOWN)
        if not free or looks_on:
            return ()
        chosen = [pick(rng, free)]
        while len(chosen) < len(free) and happens(rng, _FURTHER_BOX):
            chosen.append(pick(rng, [box for box in free if box not in chosen]))
        return tuple(sorted(chosen))

"""What multiplier cards add to a main bet, whatever their weights, when the play ignores them.

[QB] Carte moltiplicatrici: a winning hand that holds some pays its stakes times the odds times
their sum, and the stakes do not come back; a bust that else pushes is won with one. So the sum is
linear in what the cards are worth: a hand that holds d different cards holds on average d times the
chance of each, and what it forgoes rests on whether it holds any.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from compliance.certification.blackjack.compiled import Floats, compiled
from compliance.certification.blackjack.dealer import ENDINGS, LOWEST, PUSHING_BUST
from compliance.certification.blackjack.different import (
    MOST,
    different_cards,
    different_chances,
    spared_chances,
)
from compliance.certification.blackjack.ended import Ended, chance_of_cards
from compliance.certification.blackjack.hands import VALUES
from compliance.certification.blackjack.opening import NO_DECISION, SPLIT
from compliance.certification.blackjack.plan import Plan, Play, plans_of
from compliance.certification.blackjack.tally import Against, meet, room_for
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.cards import CARDS

_PAYING_BUST: Final = ENDINGS
_TWO: Final = 2
_BOTH: Final = 2.0
"""The hands of a split, each worth the same."""
_CARDS: Final = 0
"""In what is added up: the different cards that win; then what is forgone, by how many come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiplied:
    """What multiplier cards do to a main bet, in units of the initial stake."""

    play: Play
    gain: float
    """Without them, what a unit gains."""
    raised: float
    """Staked beyond it."""
    cards: float
    """The different cards on hands that win, each as often as its stakes times the odds."""
    forgone: tuple[float, ...]
    """By how many multiplier cards a round has: what winning hands that hold one lose by it."""

    def added(self, many: int, mean: float) -> float:
        """What so many cards in every round add, which multiply by this on average."""
        return self.cards * many / len(CARDS) * mean - self.forgone[many]

    def mean_for(self, many: int, added: float) -> float:
        """What so many cards in every round have to multiply by on average to add so much."""
        return (added + self.forgone[many]) / (self.cards * many / len(CARDS))


def multiplied_game(game: BlackjackGame, play: Play, *, most: int) -> Multiplied:
    """What up to so many multiplier cards do to a game; off by no more than the analysis.

    Nobody zaps in a game that has such cards.
    """
    sums = np.zeros(most + 2)
    gain = raised = 0.0
    for plan in plans_of(game, play):
        under = np.zeros(most + 2)
        _add_plan(game, plan, under)
        sums += plan.upcard.chance * under
        gain += plan.upcard.chance * plan.opened.gain
        raised += plan.upcard.chance * plan.opened.raised
    forgone = tuple(float(one) for one in sums[_CARDS + 1 :])
    return Multiplied(
        play=play, gain=gain, raised=raised, cards=float(sums[_CARDS]), forgone=forgone
    )


def _add_plan(game: BlackjackGame, plan: Plan, sums: Floats) -> None:
    """Adds the rounds under one upcard."""
    upcard = plan.upcard
    against = room_for(upcard.draws, upcard.pays)
    chances = different_chances(game.decks)
    spared = spared_chances(len(sums) - 2)
    shoe = upcard.table.shoe
    add_ended(plan.ended_unsplit(), -1, shoe, 1.0, against, chances, spared, sums)
    for one in range(VALUES):
        for two in range(one, VALUES):
            chance = (1 if one == two else 2) * float(plan.opening_chances[one, two])
            if plan.decisions[one, two] == NO_DECISION:
                chance *= float(plan.twos.safe[0, one, two])
                odds = upcard.table.blackjack
                sums[_CARDS] += chance * odds * _TWO
                sums[_CARDS + 1 :] += chance * (odds + 1.0) * (1.0 - spared[:, _TWO])
            elif plan.decisions[one, two] == SPLIT:
                left = shoe - 2.0 * np.eye(VALUES)[one]
                halves = plan.ended_halves(one)
                weight = _BOTH * chance
                add_ended(halves, one, left, weight, against, chances, spared, sums)


@compiled
def add_ended(
    ended: Ended,
    column: int,
    shoe: Floats,
    weight: float,
    against: Against,
    chances: Floats,
    spared: Floats,
    sums: Floats,
) -> None:
    """Adds all ended hands, drawn from this shoe, except for one card of the column, if any."""
    found = np.zeros(MOST + 1)
    for row in range(len(ended.points)):
        if ended.points[row] == 0:
            continue
        drawn = ended.counts[row].copy()
        if column >= 0:
            drawn[column] -= 1
        chance = weight * ended.orders[row] * chance_of_cards(shoe, drawn)
        if chance == 0.0:
            continue
        meet(against, shoe - drawn)
        wins = winning_chance(ended.points[row], against.chances)
        pushes = against.chances[PUSHING_BUST]
        odds = against.pays.win
        different_cards(ended.counts[row], chances, found)
        staked = chance * ended.stakes[row]
        for different in range(1, MOST + 1):
            share = staked * found[different]
            sums[_CARDS] += share * odds * (wins + pushes) * different
            for many in range(len(sums) - 1):
                held = 1.0 - spared[many, different]
                sums[1 + many] += share * held * (wins * (odds + 1.0) + pushes)


@compiled
def winning_chance(points: int, chances: Floats) -> float:
    """How likely these points win, the dealer's hand ending like this."""
    wins = chances[_PAYING_BUST]
    for ending in range(PUSHING_BUST):
        if points > LOWEST + ending:
            wins += chances[ending]
    return float(wins)

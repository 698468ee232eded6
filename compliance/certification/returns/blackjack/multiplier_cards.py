"""Contribution of multiplier cards to a main bet whose play ignores them, for any weights.

[QB] Carte moltiplicatrici: a winning hand with multiplier cards pays stakes times odds times their
sum, without the stakes; a dealer bust that otherwise pushes is a win. The contribution is linear in
the mean multiplier: a hand of d distinct cards holds each multiplier card with chance d / 52. What
it forgoes depends on whether it holds any.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from compliance.certification.returns.blackjack.dealer import ENDINGS, LOWEST, PUSHING_BUST
from compliance.certification.returns.blackjack.distinct_cards import (
    MOST,
    different_cards,
    different_chances,
    spared_chances,
)
from compliance.certification.returns.blackjack.final_hands import FinalHands, chance_of_cards
from compliance.certification.returns.blackjack.hands import VALUES
from compliance.certification.returns.blackjack.jit_compiler import Floats, compiled
from compliance.certification.returns.blackjack.opening_decisions import NO_DECISION, SPLIT
from compliance.certification.returns.blackjack.payout_totals import (
    DealerSide,
    new_dealer_side,
    update_endings,
)
from compliance.certification.returns.blackjack.plan import Plan, Play, plans_of
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.cards import CARDS

_PAYING_BUST: Final = ENDINGS
_TWO: Final = 2
_BOTH: Final = 2.0
"""Number of hands of a split; both have the same value."""
_CARDS: Final = 0
"""Index of the sum of distinct winning cards; the forgone sums follow by number of cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiplied:
    """The effect of multiplier cards on a main bet, in units of the initial stake."""

    play: Play
    gain: float
    """Mean gain without multiplier cards."""
    raised: float
    """Mean raise."""
    cards: float
    """Mean number of distinct cards on winning hands, weighted by stakes times odds."""
    forgone: tuple[float, ...]
    """By number of multiplier cards: the mean amount that winning hands with one forgo."""

    def added(self, many: int, mean: float) -> float:
        """The mean gain that ``many`` cards per round with this mean multiplier add."""
        return self.cards * many / len(CARDS) * mean - self.forgone[many]

    def mean_for(self, many: int, added: float) -> float:
        """The mean multiplier with which ``many`` cards per round add this gain."""
        return (added + self.forgone[many]) / (self.cards * many / len(CARDS))


def multiplied_game(game: BlackjackGame, play: Play, *, most: int) -> Multiplied:
    """The effect of up to ``most`` multiplier cards, within the error of the analysis.

    The game has no zaps.
    """
    sums = np.zeros(most + 2)
    gain = raised = 0.0
    for plan in plans_of(game, play):
        under = np.zeros(most + 2)
        _add_plan(game, plan, under)
        sums += plan.upcard.chance * under
        gain += plan.upcard.chance * plan.opened.gain
        raised += plan.upcard.chance * plan.opened.raised
    forgone = tuple(float(amount) for amount in sums[_CARDS + 1 :])
    return Multiplied(
        play=play, gain=gain, raised=raised, cards=float(sums[_CARDS]), forgone=forgone
    )


def _add_plan(game: BlackjackGame, plan: Plan, sums: Floats) -> None:
    """Adds the rounds under one upcard to ``sums``."""
    upcard = plan.upcard
    dealer_side = new_dealer_side(upcard.draws, upcard.pays)
    chances = different_chances(game.decks)
    spared = spared_chances(len(sums) - 2)
    shoe = upcard.table.shoe
    add_final_hands(plan.final_unsplit_hands(), -1, shoe, 1.0, dealer_side, chances, spared, sums)
    for i in range(VALUES):
        for j in range(i, VALUES):
            chance = (1 if i == j else 2) * float(plan.opening_chances[i, j])
            if plan.decisions[i, j] == NO_DECISION:
                chance *= float(plan.twos.safe[0, i, j])
                odds = upcard.table.blackjack
                sums[_CARDS] += chance * odds * _TWO
                sums[_CARDS + 1 :] += chance * (odds + 1.0) * (1.0 - spared[:, _TWO])
            elif plan.decisions[i, j] == SPLIT:
                left = shoe - 2.0 * np.eye(VALUES)[i]
                halves = plan.final_split_hands(i)
                weight = _BOTH * chance
                add_final_hands(halves, i, left, weight, dealer_side, chances, spared, sums)


@compiled
def add_final_hands(
    hands: FinalHands,
    column: int,
    shoe: Floats,
    weight: float,
    dealer_side: DealerSide,
    chances: Floats,
    spared: Floats,
    sums: Floats,
) -> None:
    """Adds final hands drawn from this shoe; a split hand's own card has the given column."""
    distribution = np.zeros(MOST + 1)
    for row in range(len(hands.points)):
        if hands.points[row] == 0:
            continue
        drawn = hands.counts[row].copy()
        if column >= 0:
            drawn[column] -= 1
        chance = weight * hands.orders[row] * chance_of_cards(shoe, drawn)
        if chance == 0.0:
            continue
        update_endings(dealer_side, shoe - drawn)
        wins = winning_chance(hands.points[row], dealer_side.chances)
        pushes = dealer_side.chances[PUSHING_BUST]
        odds = dealer_side.pays.win
        different_cards(hands.counts[row], chances, distribution)
        staked = chance * hands.stakes[row]
        for different in range(1, MOST + 1):
            share = staked * distribution[different]
            sums[_CARDS] += share * odds * (wins + pushes) * different
            for many in range(len(sums) - 1):
                held = 1.0 - spared[many, different]
                sums[1 + many] += share * held * (wins * (odds + 1.0) + pushes)


@compiled
def winning_chance(points: int, chances: Floats) -> float:
    """The chance that these points win, given the chances of the dealer's endings."""
    wins = chances[_PAYING_BUST]
    for ending in range(PUSHING_BUST):
        if points > LOWEST + ending:
            wins += chances[ending]
    return float(wins)

"""Values of standing hands, over every ending of the dealer.

No chance is conditioned on the hole card: every value is the expectation over all hole cards of the
gain without a dealer blackjack, a blackjack counting as zero. A drawn card is then a uniform draw
of the unknown cards, and rounds that end by a peek need no separate chances.
"""

from typing import NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.dealer import (
    BLACKJACK,
    ENDINGS,
    LOWEST,
    PUSHING_BUST,
    Draws,
)
from compliance.certification.returns.blackjack.hands import Hands
from compliance.certification.returns.blackjack.jit_compiler import Floats, compiled


class Pays(NamedTuple):
    """The payout terms of standing hands, as numbers for the compiler."""

    win: float
    single: float
    """Gain of a hand against a dealer blackjack without peek."""
    doubled: float
    is_looked_at: bool
    hole: int
    """Column of the hole card that completes a blackjack, -1 for none."""
    most_cards: int
    most_cards_win: bool


class StandValues(NamedTuple):
    """By hand: the gain of standing, and the chance of a dealer blackjack."""

    gain: Floats
    """Gain without a dealer blackjack."""
    blackjack: Floats


@compiled
def ending_chances(draws: Draws, shoe: Floats, chances: Floats, reached: Floats) -> None:
    """Fills ``chances`` with the chance of every ending; the shoe lacks all known cards.

    ``reached`` is a work array with one element per node.
    """
    chances[:] = 0.0
    of_one_card = 1.0 / (shoe.sum() + 1.0 - np.arange(draws.depth[-1] + 1))
    reached[0] = 1.0
    for node in range(1, len(draws.parent)):
        left = shoe[draws.column[node]] - draws.before[node]
        share = left * of_one_card[draws.depth[node]]
        reached[node] = reached[draws.parent[node]] * share
        chances[draws.ending[node]] += reached[node] * draws.orders[node]


@compiled
def gain_of(points: int, cards: int, chances: Floats, pays: Pays) -> float:
    """The gain of standing on these points without a dealer blackjack."""
    if pays.most_cards_win and cards == pays.most_cards:
        return float(pays.win * (1.0 - chances[BLACKJACK]))
    wins = 1.0 - chances.sum()
    loses = 0.0
    for ending in range(PUSHING_BUST):
        if points > LOWEST + ending:
            wins += chances[ending]
        elif points < LOWEST + ending:
            loses += chances[ending]
    return float(pays.win * wins - loses)


@compiled
def stand_all(hands: Hands, draws: Draws, shoe: Floats, holding: int, pays: Pays) -> StandValues:
    """The values of all standing hands; with ``holding`` only those with a card of that column.

    ``shoe`` lacks the upcard and the discards; each hand's own cards are removed here.
    """
    count = len(hands.points)
    gain = np.zeros(count)
    blackjack = np.zeros(count)
    chances = np.empty(ENDINGS)
    reached = np.empty(len(draws.parent))
    for hand in range(count):
        if holding >= 0 and hands.counts[hand, holding] == 0:
            continue
        ending_chances(draws, shoe - hands.counts[hand], chances, reached)
        gain[hand] = gain_of(hands.points[hand], hands.cards[hand], chances, pays)
        blackjack[hand] = chances[BLACKJACK]
    return StandValues(gain, blackjack)

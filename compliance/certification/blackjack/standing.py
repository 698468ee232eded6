"""What hands are worth once they stand, over every way in which the dealer can end.

Nobody conditions on what the hole card is not: every value here is the expectation over all hole
cards of what is won where the dealer has no blackjack, nothing being counted where he has one. The
card at the bottom of the shoe is then as good as the hole card, a draw is one of the unseen cards
at random, and rounds that end by a look need no chances of their own.
"""

from typing import NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Floats, compiled
from compliance.certification.blackjack.dealer import (
    BLACKJACK,
    ENDINGS,
    LOWEST,
    PUSHING_BUST,
    Draws,
)
from compliance.certification.blackjack.hands import Hands


class Pays(NamedTuple):
    """What of the terms decides a hand that stands, as numbers for the compiler."""

    win: float
    single: float
    """Gained by a hand against a blackjack that was not looked at."""
    doubled: float
    is_looked_at: bool
    hole: int
    """Column of the hole card that makes a blackjack, -1 where none does."""
    most_cards: int
    most_cards_win: bool


class Stood(NamedTuple):
    """Of every hand: what it gains where it stands, and the chance of the dealer's blackjack."""

    gain: Floats
    """Where the dealer has no blackjack."""
    blackjack: Floats


@compiled
def ending_chances(draws: Draws, shoe: Floats, chances: Floats, reached: Floats) -> None:
    """The chance of every ending, from a shoe without the upcard and without all cards seen.

    ``reached`` is room for as many numbers as there are nodes.
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
    """What a hand gains that stands on these points, where the dealer has no blackjack."""
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
def stand_all(hands: Hands, draws: Draws, shoe: Floats, holding: int, pays: Pays) -> Stood:
    """All hands standing; with ``holding`` only those that have a card of that column.

    ``shoe`` lacks the upcard and what was discarded; each hand's own cards are taken out here.
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
    return Stood(gain, blackjack)

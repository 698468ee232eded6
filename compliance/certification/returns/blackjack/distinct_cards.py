"""Number of distinct cards in a hand, given the values of its cards.

Final hands are known by value; a multiplier card is a rank and a suit. No decision depends on
suits, so the cards of one value in a hand are a random sample of those in a full shoe.
"""

from functools import cache
from math import comb
from typing import Final

import numpy as np

from compliance.certification.returns.blackjack.hands import VALUES
from compliance.certification.returns.blackjack.jit_compiler import Floats, Ints, compiled
from rounds.rules.blackjack.totals import TWENTY_ONE
from rounds.rules.blackjack.totals import VALUES as VALUE_OF_CARD
from rounds.rules.cards import CARDS

MOST: Final = TWENTY_ONE
"""Maximum number of cards of a hand that is not bust."""


@cache
def different_chances(decks: int) -> Floats:
    """The chance of each number of distinct cards, by value and by number of cards held."""
    chances = np.zeros((VALUES, MOST + 1, MOST + 1))
    for column in range(VALUES):
        kinds = sum(value == column + 1 for value in VALUE_OF_CARD.values())
        for held in range(min(MOST, kinds * decks) + 1):
            for different in range(min(held, kinds) + 1):
                ways = comb(kinds, different) * _ways_with_all(different, decks, held)
                chances[column, held, different] = ways / comb(kinds * decks, held)
    return chances


@cache
def spared_chances(most: int) -> Floats:
    """The chance that a hand holds no multiplier card.

    By the number of multiplier cards of the round and of distinct cards in the hand.
    """
    chances = np.zeros((most + 1, MOST + 1))
    for many in range(most + 1):
        for different in range(MOST + 1):
            chances[many, different] = comb(len(CARDS) - different, many) / comb(len(CARDS), many)
    return chances


@compiled
def different_cards(counts: Ints, chances: Floats, distribution: Floats) -> None:
    """Fills ``distribution`` with the chance of each number of distinct cards of a hand."""
    distribution[:] = 0.0
    distribution[0] = 1.0
    most = 0
    for column in range(VALUES):
        held = counts[column]
        if held == 0:
            continue
        for before in range(most, -1, -1):
            share = distribution[before]
            distribution[before] = 0.0
            for more in range(1, held + 1):
                distribution[before + more] += share * chances[column, held, more]
        most += held


def _ways_with_all(kinds: int, copies: int, held: int) -> int:
    """Number of ways in which ``held`` cards include each of these kinds."""
    return sum(
        (-1) ** without * comb(kinds, without) * comb(copies * (kinds - without), held)
        for without in range(kinds + 1)
    )

"""How many different cards a hand holds, when only the values of its cards are known.

Ended hands know values; a multiplier card is a suit and a rank. Nothing that is decided looks at
suits, so the cards of one value in a hand are any of those of a full shoe, whatever else was seen.
"""

from functools import cache
from math import comb
from typing import Final

import numpy as np

from compliance.certification.blackjack.compiled import Floats, Ints, compiled
from compliance.certification.blackjack.hands import VALUES
from rounds.rules.blackjack.totals import TWENTY_ONE
from rounds.rules.blackjack.totals import VALUES as VALUE_OF_CARD
from rounds.rules.cards import CARDS

MOST: Final = TWENTY_ONE
"""No hand that is not bust holds more cards."""


@cache
def different_chances(decks: int) -> Floats:
    """By value, by how many cards of it are held: the chance of each number of different ones."""
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
    """By how many multiplier cards a round has, by how many different cards a hand holds.

    The chance that none of them is among these.
    """
    chances = np.zeros((most + 1, MOST + 1))
    for many in range(most + 1):
        for different in range(MOST + 1):
            chances[many, different] = comb(len(CARDS) - different, many) / comb(len(CARDS), many)
    return chances


@compiled
def different_cards(counts: Ints, chances: Floats, found: Floats) -> None:
    """Writes down the chance of each number of different cards among those of a hand."""
    found[:] = 0.0
    found[0] = 1.0
    most = 0
    for column in range(VALUES):
        held = counts[column]
        if held == 0:
            continue
        for before in range(most, -1, -1):
            share = found[before]
            found[before] = 0.0
            for more in range(1, held + 1):
                found[before + more] += share * chances[column, held, more]
        most += held


def _ways_with_all(kinds: int, copies: int, held: int) -> int:
    """In how many ways so many cards hold every one of these kinds."""
    return sum(
        (-1) ** without * comb(kinds, without) * comb(copies * (kinds - without), held)
        for without in range(kinds + 1)
    )

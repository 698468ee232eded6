"""Hands as a way of playing leaves them, each with its chance: for all that a mean does not tell.

A plan looks at the hand's own cards, so that, as with the dealer, all orders in which it draws some
cards are counted together and the chance of the cards comes from the shoe.
"""

from typing import NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Flags, Floats, Ints, compiled
from compliance.certification.blackjack.hands import VALUES, Hands
from compliance.certification.blackjack.opening import DOUBLE, HIT, STAND

_PAIR = 2


class Ended(NamedTuple):
    """Hands at their end, a row a hand."""

    counts: Ints
    points: Ints
    """0 for a hand that is bust."""
    cards: Ints
    stakes: Ints
    orders: Floats
    """In how many orders of the cards drawn the plan ends here."""


@compiled
def end_hands(hands: Hands, begun: Floats, first: Ints, hits: Flags) -> Ended:
    """All ends of hands of two cards that were ``begun`` in so many orders.

    ``first`` is the decision on two cards, by their columns; those not to be played have no orders.
    """
    count = len(hands.points)
    rows = count * (VALUES + 1)
    ended = Ended(
        np.zeros((rows, VALUES), dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows),
    )
    orders = begun.copy()
    row = 0
    for hand in range(1, count):
        if orders[hand] == 0.0:
            continue
        decision = HIT if hits[hand] else STAND
        if hands.cards[hand] == _PAIR:
            held = np.nonzero(hands.counts[hand])[0]
            decision = first[held[0], held[-1]]
        if decision not in (HIT, DOUBLE):
            row = _write(hands, hand, -1, 1, orders[hand], ended, row)
            continue
        for column in range(VALUES):
            more = hands.after[hand, column]
            if decision == HIT and more >= 0:
                orders[more] += orders[hand]
            else:
                stakes = 2 if decision == DOUBLE else 1
                row = _write(hands, hand, column, stakes, orders[hand], ended, row)
    return Ended(
        ended.counts[:row],
        ended.points[:row],
        ended.cards[:row],
        ended.stakes[:row],
        ended.orders[:row],
    )


@compiled
def _write(
    hands: Hands, hand: int, column: int, stakes: int, orders: float, ended: Ended, row: int
) -> int:
    """Writes a hand down as ended, with a last card unless the column is -1; the next free row."""
    ended.counts[row] = hands.counts[hand]
    ended.cards[row] = hands.cards[hand]
    ended.points[row] = hands.points[hand]
    if column >= 0:
        ended.counts[row, column] += 1
        ended.cards[row] += 1
        more = hands.after[hand, column]
        ended.points[row] = hands.points[more] if more >= 0 else 0
    ended.stakes[row] = stakes
    ended.orders[row] = orders
    return row + 1


@compiled
def chance_of_cards(shoe: Floats, drawn: Ints) -> float:
    """The chance of drawing these cards in one given order; 0 where the shoe has too few."""
    chance = 1.0
    cards = shoe.sum()
    for column in range(VALUES):
        for before in range(drawn[column]):
            chance *= max(shoe[column] - before, 0.0) / cards
            cards -= 1.0
    return chance

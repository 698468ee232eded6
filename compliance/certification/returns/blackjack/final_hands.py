"""Final hands of a plan with their number of orders, for variance and multiplier cards.

A plan depends on the hand's own cards. As with the dealer, all orders of the same cards are counted
together, and the chance of the cards comes from the shoe.
"""

from typing import NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.hands import VALUES, Hands
from compliance.certification.returns.blackjack.jit_compiler import Flags, Floats, Ints, compiled
from compliance.certification.returns.blackjack.opening_decisions import DOUBLE, HIT, STAND

_PAIR = 2


class FinalHands(NamedTuple):
    """Final hands, one row per hand."""

    counts: Ints
    points: Ints
    """0 for a bust."""
    cards: Ints
    stakes: Ints
    orders: Floats
    """Number of orders of the drawn cards in which the plan ends here."""


@compiled
def play_to_end(hands: Hands, begun: Floats, first: Ints, hits: Flags) -> FinalHands:
    """All final hands that follow from hands of two cards with ``begun`` orders.

    ``first`` is the decision on two cards, by their columns. Hands with 0 orders are skipped.
    """
    count = len(hands.points)
    rows = count * (VALUES + 1)
    final = FinalHands(
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
            row = _write(hands, hand, -1, 1, orders[hand], final, row)
            continue
        for column in range(VALUES):
            more = hands.after[hand, column]
            if decision == HIT and more >= 0:
                orders[more] += orders[hand]
            else:
                stakes = 2 if decision == DOUBLE else 1
                row = _write(hands, hand, column, stakes, orders[hand], final, row)
    return FinalHands(
        final.counts[:row],
        final.points[:row],
        final.cards[:row],
        final.stakes[:row],
        final.orders[:row],
    )


@compiled
def _write(
    hands: Hands, hand: int, column: int, stakes: int, orders: float, final: FinalHands, row: int
) -> int:
    """Stores a final hand, with a last card unless the column is -1; returns the next free row."""
    final.counts[row] = hands.counts[hand]
    final.cards[row] = hands.cards[hand]
    final.points[row] = hands.points[hand]
    if column >= 0:
        final.counts[row, column] += 1
        final.cards[row] += 1
        more = hands.after[hand, column]
        final.points[row] = hands.points[more] if more >= 0 else 0
    final.stakes[row] = stakes
    final.orders[row] = orders
    return row + 1


@compiled
def chance_of_cards(shoe: Floats, drawn: Ints) -> float:
    """The chance of drawing these cards in one given order; 0 if the shoe has too few."""
    chance = 1.0
    cards = shoe.sum()
    for column in range(VALUES):
        for before in range(drawn[column]):
            chance *= max(shoe[column] - before, 0.0) / cards
            cards -= 1.0
    return chance

"""Hands played by hitting and standing, and the gains of stand, hit and double on two cards.

The hole card is unknown when a card is drawn. Every gain is the sum of the gain without a dealer
blackjack and, without peek, the loss against one. Gains are per hand: a split counts twice.
"""

from typing import NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.hands import VALUES, Hands
from compliance.certification.returns.blackjack.jit_compiler import Flags, Floats, compiled
from compliance.certification.returns.blackjack.stand_values import Pays, StandValues
from rounds.rules.blackjack.totals import TWENTY_ONE


class Chart(NamedTuple):
    """A total-dependent chart under one upcard; rows are cells of hands, splits are by value."""

    is_used: bool
    """False for composition-dependent play, which ignores the flags."""
    hits: Flags
    doubles: Flags
    splits: Flags
    zaps: Flags


class TwoCards(NamedTuple):
    """The gain of each decision on two cards, by their columns."""

    stand: Floats
    hit: Floats
    double: Floats
    safe: Floats
    """The chance that the dealer has no blackjack."""


class PlayedHands(NamedTuple):
    """Gain and decision of every hand by hitting and standing."""

    gains: Floats
    hits: Flags


@compiled
def blackjack_after(shoe: Floats, column: int, pays: Pays) -> float:
    """The chance of a dealer blackjack after one more card of this column is known."""
    if pays.hole < 0:
        return 0.0
    return float((shoe[pays.hole] - (column == pays.hole)) / (shoe.sum() - 1.0))


@compiled
def bust_gain(shoe: Floats, column: int, stakes: int, pays: Pays) -> float:
    """The gain (a loss) of a hand that busts by a card of this column."""
    blackjack = blackjack_after(shoe, column, pays)
    against = pays.single if stakes == 1 else pays.doubled
    return against * blackjack - stakes * (1.0 - blackjack)


@compiled
def hit_gain(hands: Hands, hand: int, shoe: Floats, gains: Floats, pays: Pays) -> float:
    """The gain of hitting, given the gains of the following hands."""
    gain = 0.0
    cards = shoe.sum()
    for column in range(VALUES):
        if shoe[column] <= 0.0:
            continue
        more = hands.after[hand, column]
        gained = gains[more] if more >= 0 else bust_gain(shoe, column, 1, pays)
        gain += shoe[column] / cards * gained
    return gain


@compiled
def double_gain(hands: Hands, hand: int, shoe: Floats, stood: StandValues, pays: Pays) -> float:
    """The gain of doubling."""
    gain = 0.0
    cards = shoe.sum()
    for column in range(VALUES):
        if shoe[column] <= 0.0:
            continue
        more = hands.after[hand, column]
        if more >= 0:
            gained = 2.0 * stood.gain[more] + pays.doubled * stood.blackjack[more]
        else:
            gained = bust_gain(shoe, column, 2, pays)
        gain += shoe[column] / cards * gained
    return gain


@compiled
def play_all(
    hands: Hands, stood: StandValues, shoe: Floats, holding: int, chart: Chart, pays: Pays
) -> PlayedHands:
    """The gain of every hand by hits and stands, at its best or by the chart."""
    gains = np.zeros(len(hands.points))
    hits = np.zeros(len(hands.points), dtype=np.bool_)
    for hand in range(len(hands.points) - 1, 0, -1):
        if holding >= 0 and hands.counts[hand, holding] == 0:
            continue
        stands = stood.gain[hand] + pays.single * stood.blackjack[hand]
        gains[hand] = stands
        if hands.points[hand] == TWENTY_ONE or hands.cards[hand] == pays.most_cards:
            continue
        if chart.is_used and not chart.hits[hands.cell[hand]]:
            continue
        gain = hit_gain(hands, hand, shoe - hands.counts[hand], gains, pays)
        if chart.is_used or gain > stands:
            gains[hand] = gain
            hits[hand] = True
    return PlayedHands(gains, hits)


@compiled
def fill_twos(
    hands: Hands,
    stood: StandValues,
    gains: Floats,
    shoe: Floats,
    holding: int,
    pays: Pays,
    twos: TwoCards,
) -> None:
    """Fills in all hands of two cards; with ``holding`` only those with a card of that column."""
    for first in range(VALUES):
        for second in range(VALUES):
            if holding >= 0 and holding not in (first, second):
                continue
            hand = hands.after[hands.after[0, first], second]
            left = shoe - hands.counts[hand]
            twos.stand[first, second] = stood.gain[hand] + pays.single * stood.blackjack[hand]
            twos.hit[first, second] = hit_gain(hands, hand, left, gains, pays)
            twos.double[first, second] = double_gain(hands, hand, left, stood, pays)
            twos.safe[first, second] = 1.0 - stood.blackjack[hand]

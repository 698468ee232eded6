"""Hands played to their end by hitting and standing, and the three ways to go on with two cards.

A draw happens before anybody knows the hole card, so every gain here adds what the hand gains
where the dealer has no blackjack and, where the dealer did not look, what it loses where he has.
Gains are by the hand and not by the stake of a round: a split counts its hand twice.
"""

from typing import NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Flags, Floats, compiled
from compliance.certification.blackjack.hands import VALUES, Hands
from compliance.certification.blackjack.standing import Pays, Stood
from rounds.rules.blackjack.totals import TWENTY_ONE


class Chart(NamedTuple):
    """A total-dependent chart under one upcard; rows are the cells of hands, splits go by value."""

    is_used: bool
    """False where every hand is played by its own cards and the flags below say nothing."""
    hits: Flags
    doubles: Flags
    splits: Flags
    zaps: Flags


class Twos(NamedTuple):
    """Hands of two cards by the columns of these: what each way to go on gains."""

    stand: Floats
    hit: Floats
    double: Floats
    safe: Floats
    """How likely the dealer has no blackjack."""


class Went(NamedTuple):
    """How every hand goes on by hitting and standing."""

    gains: Floats
    hits: Flags


@compiled
def blackjack_after(shoe: Floats, column: int, pays: Pays) -> float:
    """The chance of the dealer's blackjack when one more card of this column is seen."""
    if pays.hole < 0:
        return 0.0
    return float((shoe[pays.hole] - (column == pays.hole)) / (shoe.sum() - 1.0))


@compiled
def bust_gain(shoe: Floats, column: int, stakes: int, pays: Pays) -> float:
    """What a hand gains that goes bust by a card of this column."""
    blackjack = blackjack_after(shoe, column, pays)
    against = pays.single if stakes == 1 else pays.doubled
    return against * blackjack - stakes * (1.0 - blackjack)


@compiled
def hit_gain(hands: Hands, hand: int, shoe: Floats, gains: Floats, pays: Pays) -> float:
    """What a hand gains by a card, each hand that comes of it gaining what ``gains`` says."""
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
def double_gain(hands: Hands, hand: int, shoe: Floats, stood: Stood, pays: Pays) -> float:
    """What a hand gains by one card for a second stake."""
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
    hands: Hands, stood: Stood, shoe: Floats, holding: int, chart: Chart, pays: Pays
) -> Went:
    """What every hand gains by hits and stands, at its best or by the chart."""
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
    return Went(gains, hits)


@compiled
def fill_twos(
    hands: Hands, stood: Stood, gains: Floats, shoe: Floats, holding: int, pays: Pays, twos: Twos
) -> None:
    """All hands of two cards; with ``holding`` only those that have a card of that column."""
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

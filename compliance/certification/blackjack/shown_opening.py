"""The first two cards of a main bet played with an eye on the multiplier cards, and their split.

Which of the cards that were shown are among the two counts as much as their values (`shown`).
"""

import numpy as np

from compliance.certification.blackjack.compiled import Floats, compiled
from compliance.certification.blackjack.contexts import FIRST_SPLIT
from compliance.certification.blackjack.hands import SOFT, VALUES
from compliance.certification.blackjack.opening import SPLIT
from compliance.certification.blackjack.shown import (
    CONTEXTS,
    Shown,
    Side,
    can_hold,
    play_shown,
    win_of,
    worth_after,
)
from rounds.rules.blackjack.totals import TWENTY_ONE


@compiled
def half_gain(at: Side, column: int, mask: int, opened: Floats) -> float:
    """What one hand of a split gains from a card of the pair."""
    left = at.shoe.copy()
    left[column] -= 2.0
    gain = 0.0
    hand = at.hands.after[0, column]
    for drawn in range(VALUES):
        worth = worth_after(at, hand, mask, drawn, opened)
        gain += max(left[drawn], 0.0) / left.sum() * worth
    return gain


@compiled
def open_shown(at: Side) -> float:
    """What all opening hands under one upcard gain."""
    masks = 1 << len(at.shown.columns)
    opened = np.zeros((CONTEXTS, len(at.hands.points), masks))
    for context in range(CONTEXTS):
        play_shown(at, context, opened[context])
    halves = np.zeros((VALUES, masks))
    for column in range(VALUES):
        for mask in range(masks):
            if can_hold(at, at.hands.after[0, column], mask):
                halves[column, mask] = half_gain(at, column, mask, opened[FIRST_SPLIT + column])
    gain = 0.0
    cards = at.shoe.sum()
    for one in range(VALUES):
        for two in range(VALUES):
            chance = at.shoe[one] / cards * max(at.shoe[two] - (one == two), 0.0) / (cards - 1.0)
            gain += chance * pair_gain(at, one, two, opened[0], halves)
    return gain


@compiled
def pair_gain(at: Side, one: int, two: int, opened: Floats, halves: Floats) -> float:
    """What two cards of these values gain, over which cards they are; -1 is no multiplier card."""
    gain = 0.0
    shown = at.shown
    for first in range(-1, len(shown.columns)):
        if first >= 0 and shown.columns[first] != one:
            continue
        for second in range(-1, len(shown.columns)):
            if second >= 0 and shown.columns[second] != two:
                continue
            of_first = 1 << first if first >= 0 else 0
            of_second = 1 << second if second >= 0 else 0
            gained = cards_gain(at, one, two, of_first, of_second, opened, halves)
            gain += chance_of_both(one, two, first, second, shown) * gained
    return gain


@compiled
def cards_gain(
    at: Side, one: int, two: int, of_first: int, of_second: int, opened: Floats, halves: Floats
) -> float:
    """What two cards gain of which each is one of the multiplier cards, or none."""
    hand = at.hands.after[at.hands.after[0, one], two]
    mask = of_first | of_second
    safe = at.ends.safe[0, hand]
    if at.hands.cell[hand] == SOFT + TWENTY_ONE:
        return float(safe * win_of(mask, at.blackjack, at.shown))
    gained = opened[hand, mask]
    if one == two:
        split = halves[one, of_first] + halves[one, of_second]
        is_split = at.base.first[0, one, one] == SPLIT if at.ignores else split > gained
        gained = split if is_split else gained
    return float(gained - (1.0 - safe))


@compiled
def chance_of_both(one: int, two: int, first: int, second: int, shown: Shown) -> float:
    """Of two cards of these values, how likely they are these multiplier cards; -1 is none."""
    of_first = kind_chance(one, first, shown, 0.0, -2)
    if one != two:
        return of_first * kind_chance(two, second, shown, 0.0, -2)
    return of_first * kind_chance(two, second, shown, 1.0, first)


@compiled
def kind_chance(column: int, card: int, shown: Shown, gone: float, gone_card: int) -> float:
    """How likely a card of this value is this multiplier card, or none of them."""
    cards = shown.full[column] - gone
    if card >= 0:
        return float((shown.copies - (gone if card == gone_card else 0.0)) / cards)
    none = cards
    for other in range(len(shown.columns)):
        if shown.columns[other] == column:
            none -= shown.copies - (gone if other == gone_card else 0.0)
    return float(none / cards)

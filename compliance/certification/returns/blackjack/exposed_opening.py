"""Opening hands and splits for a player who knows the multiplier cards (`exposed_cards`)."""

import numpy as np

from compliance.certification.returns.blackjack.contexts import FIRST_SPLIT
from compliance.certification.returns.blackjack.exposed_cards import (
    CONTEXTS,
    ExposedCards,
    UpcardPlay,
    can_hold,
    play_exposed,
    win_of,
    worth_after,
)
from compliance.certification.returns.blackjack.hands import SOFT, VALUES
from compliance.certification.returns.blackjack.jit_compiler import Floats, compiled
from compliance.certification.returns.blackjack.opening_decisions import SPLIT
from rounds.rules.blackjack.totals import TWENTY_ONE


@compiled
def half_gain(play: UpcardPlay, column: int, mask: int, opened: Floats) -> float:
    """The gain of one split hand that starts from this card."""
    left = play.shoe.copy()
    left[column] -= 2.0
    gain = 0.0
    hand = play.hands.after[0, column]
    for drawn in range(VALUES):
        worth = worth_after(play, hand, mask, drawn, opened)
        gain += max(left[drawn], 0.0) / left.sum() * worth
    return gain


@compiled
def openings_gain(play: UpcardPlay) -> float:
    """The mean gain of all opening hands under one upcard."""
    masks = 1 << len(play.exposed.columns)
    opened = np.zeros((CONTEXTS, len(play.hands.points), masks))
    for context in range(CONTEXTS):
        play_exposed(play, context, opened[context])
    halves = np.zeros((VALUES, masks))
    for column in range(VALUES):
        for mask in range(masks):
            if can_hold(play, play.hands.after[0, column], mask):
                halves[column, mask] = half_gain(play, column, mask, opened[FIRST_SPLIT + column])
    gain = 0.0
    cards = play.shoe.sum()
    for i in range(VALUES):
        for j in range(VALUES):
            chance = play.shoe[i] / cards * max(play.shoe[j] - (i == j), 0.0) / (cards - 1.0)
            gain += chance * pair_gain(play, i, j, opened[0], halves)
    return gain


@compiled
def pair_gain(play: UpcardPlay, i: int, j: int, opened: Floats, halves: Floats) -> float:
    """The mean gain of two cards of these values, over their ranks and suits."""
    gain = 0.0
    exposed = play.exposed
    for first in range(-1, len(exposed.columns)):
        if first >= 0 and exposed.columns[first] != i:
            continue
        for second in range(-1, len(exposed.columns)):
            if second >= 0 and exposed.columns[second] != j:
                continue
            of_first = 1 << first if first >= 0 else 0
            of_second = 1 << second if second >= 0 else 0
            gained = cards_gain(play, i, j, of_first, of_second, opened, halves)
            gain += chance_of_both(i, j, first, second, exposed) * gained
    return gain


@compiled
def cards_gain(
    play: UpcardPlay, i: int, j: int, of_first: int, of_second: int, opened: Floats, halves: Floats
) -> float:
    """The gain of two cards, given which multiplier cards they are; -1 for none."""
    hand = play.hands.after[play.hands.after[0, i], j]
    mask = of_first | of_second
    safe = play.ends.safe[0, hand]
    if play.hands.cell[hand] == SOFT + TWENTY_ONE:
        return float(safe * win_of(mask, play.blackjack, play.exposed))
    gained = opened[hand, mask]
    if i == j:
        split = halves[i, of_first] + halves[i, of_second]
        is_split = play.base.first[0, i, i] == SPLIT if play.ignores else split > gained
        gained = split if is_split else gained
    return float(gained - (1.0 - safe))


@compiled
def chance_of_both(i: int, j: int, first: int, second: int, exposed: ExposedCards) -> float:
    """The chance that two cards of these values are these multiplier cards; -1 for none."""
    of_first = kind_chance(i, first, exposed, 0.0, -2)
    if i != j:
        return of_first * kind_chance(j, second, exposed, 0.0, -2)
    return of_first * kind_chance(j, second, exposed, 1.0, first)


@compiled
def kind_chance(
    column: int, card: int, exposed: ExposedCards, removed: float, removed_card: int
) -> float:
    """The chance that a card of this value is this multiplier card; -1 for none of them."""
    cards = exposed.full[column] - removed
    if card >= 0:
        return float((exposed.copies - (removed if card == removed_card else 0.0)) / cards)
    none = cards
    for other in range(len(exposed.columns)):
        if exposed.columns[other] == column:
            none -= exposed.copies - (removed if other == removed_card else 0.0)
    return float(none / cards)

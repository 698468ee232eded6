"""A main bet played with an eye on the multiplier cards, once it is known which cards these are.

They are shown before the cards are dealt. A hand is then known by the values of its cards and by
which multiplier cards are among them; the plan looks at both, and at the upcard's value. Nothing
else is known of a suit, so the other cards of a value are any of those of a full shoe that the hand
does not hold (`different`). What a hand gains is counted as in `playing`.
"""

from typing import Final, NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Floats, Ints, compiled
from compliance.certification.blackjack.contexts import FIRST_SPLIT
from compliance.certification.blackjack.dealer import LOWEST, PUSHING_BUST
from compliance.certification.blackjack.hands import SOFT, VALUES, Hands
from compliance.certification.blackjack.multiplied import winning_chance
from compliance.certification.blackjack.opening import DOUBLE, HIT, SPLIT
from compliance.certification.blackjack.playing import bust_gain
from compliance.certification.blackjack.standing import Pays
from compliance.certification.blackjack.tally import Against, meet
from rounds.rules.blackjack.totals import TWENTY_ONE

_ACES: Final = 0
_CONTEXTS: Final = FIRST_SPLIT + VALUES
"""The hand as it was dealt, then those of a split by their value."""
_TWO: Final = 2


class Ends(NamedTuple):
    """Of every hand that stands, by context: how the dealer ends who has no blackjack."""

    wins: Floats
    pushes: Floats
    """A bust that is a push unless the hand holds a multiplier card."""
    loses: Floats
    safe: Floats
    """How likely the dealer has no blackjack."""


class Shown(NamedTuple):
    """The multiplier cards of a round, and how many cards of each value a full shoe has."""

    columns: Ints
    times: Floats
    copies: float
    """Of each card."""
    full: Floats


class Base(NamedTuple):
    """How hands are played by somebody who does not look at the cards, by context."""

    hits: Ints
    first: Ints
    """The decision on two cards, by their columns."""


class Side(NamedTuple):
    """A round under one upcard, beneath which the dealer looks, and how it is played."""

    hands: Hands
    ends: Ends
    shoe: Floats
    """Without the upcard."""
    pays: Pays
    blackjack: float
    """What a blackjack wins."""
    base: Base
    ignores: bool
    """Whether it is played without looking at the multiplier cards."""
    shown: Shown


@compiled
def ends_of(hands: Hands, shoe: Floats, against: Against) -> Ends:
    """Every hand in every context, under the upcard that was taken from the shoe."""
    shape = (_CONTEXTS, len(hands.points))
    ends = Ends(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))
    for context in range(_CONTEXTS):
        for hand in range(1, len(hands.points)):
            left = shoe - hands.counts[hand]
            if context >= FIRST_SPLIT:
                if hands.counts[hand, context - FIRST_SPLIT] == 0:
                    continue
                left[context - FIRST_SPLIT] -= 1.0
            meet(against, left)
            wins = winning_chance(hands.points[hand], against.chances)
            safe = against.chances.sum()
            level = 0.0
            if hands.points[hand] >= LOWEST:
                level = against.chances[hands.points[hand] - LOWEST]
            pushes = against.chances[PUSHING_BUST]
            ends.wins[context, hand] = wins
            ends.pushes[context, hand] = pushes
            ends.safe[context, hand] = safe
            ends.loses[context, hand] = safe - wins - pushes - level
    return ends


@compiled
def can_hold(at: Side, hand: int, mask: int) -> bool:
    """Whether a hand of these values can hold these multiplier cards."""
    for column in range(VALUES):
        needed = 0
        for card in range(len(at.shown.columns)):
            if (mask >> card) & 1 and at.shown.columns[card] == column:
                needed += 1
        if needed > at.hands.counts[hand, column]:
            return False
    return True


@compiled
def win_of(mask: int, odds: float, shown: Shown) -> float:
    """What a win gains with these multiplier cards: their sum counts, and the stake stays away."""
    if mask == 0:
        return odds
    times = 0.0
    for card in range(len(shown.columns)):
        if (mask >> card) & 1:
            times += shown.times[card]
    return odds * times - 1.0


@compiled
def stand_gain(at: Side, context: int, hand: int, mask: int) -> float:
    """What a hand with these multiplier cards gains that stands."""
    wins = at.ends.wins[context, hand]
    if mask:
        wins += at.ends.pushes[context, hand]
    gained = win_of(mask, at.pays.win, at.shown) * wins
    return float(gained - at.ends.loses[context, hand])


@compiled
def worth_after(at: Side, hand: int, mask: int, column: int, worth: Floats) -> float:
    """What a card of the column makes of a hand, over all cards that it may be."""
    shown = at.shown
    more = at.hands.after[hand, column]
    chance = shown.copies / (shown.full[column] - at.hands.counts[hand, column])
    rest = 1.0
    total = 0.0
    for card in range(len(shown.columns)):
        if shown.columns[card] == column and not (mask >> card) & 1:
            rest -= chance
            total += chance * worth[more, mask | (1 << card)]
    return float(total + rest * worth[more, mask])


@compiled
def card_gain(at: Side, hand: int, mask: int, left: Floats, stakes: int, worth: Floats) -> float:
    """What a hand gains by one card."""
    gain = 0.0
    cards = left.sum()
    for column in range(VALUES):
        if left[column] <= 0.0:
            continue
        if at.hands.after[hand, column] < 0:
            gained = bust_gain(left, column, stakes, at.pays)
        else:
            gained = stakes * worth_after(at, hand, mask, column, worth)
        gain += left[column] / cards * gained
    return gain


@compiled
def play_hand(
    at: Side, context: int, hand: int, mask: int, left: Floats, worth: Floats, stands: Floats
) -> float:
    """What a hand is worth from now on; writes down what it is worth without doubling.

    ``worth`` and ``stands`` have a row a hand and a column for each set of multiplier cards in it.
    """
    hands = at.hands
    stand = stand_gain(at, context, hand, mask)
    stands[hand, mask] = worth[hand, mask] = stand
    if hands.points[hand] == TWENTY_ONE:
        return stand
    hit = card_gain(at, hand, mask, left, 1, worth)
    if at.base.hits[context, hand] if at.ignores else hit > stand:
        worth[hand, mask] = hit
    if hands.cards[hand] != _TWO:
        return float(worth[hand, mask])
    double = card_gain(at, hand, mask, left, 2, stands)
    if not at.ignores:
        return max(stand, hit, double)
    held = np.nonzero(hands.counts[hand])[0]
    first = at.base.first[context, held[0], held[-1]]
    if first == DOUBLE:
        return double
    return hit if first == HIT else stand


@compiled
def play_shown(at: Side, context: int, opened: Floats) -> None:
    """Writes down what every hand of two cards is worth in a context, unsplit."""
    left = at.shoe.copy()
    holding = context - FIRST_SPLIT
    if holding >= 0:
        left[holding] -= 1.0
    worth = np.zeros(opened.shape)
    stands = np.zeros(opened.shape)
    for hand in range(len(at.hands.points) - 1, 0, -1):
        if holding >= 0 and at.hands.counts[hand, holding] == 0:
            continue
        rest = left - at.hands.counts[hand]
        for mask in range(opened.shape[1]):
            if can_hold(at, hand, mask):
                opened[hand, mask] = play_hand(at, context, hand, mask, rest, worth, stands)
    if holding == _ACES:
        opened[:] = stands


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
    opened = np.zeros((_CONTEXTS, len(at.hands.points), masks))
    for context in range(_CONTEXTS):
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

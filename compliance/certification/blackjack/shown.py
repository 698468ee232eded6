"""A main bet played with an eye on the multiplier cards, once it is known which cards these are.

They are shown before the cards are dealt. A hand is then known by the values of its cards and by
which multiplier cards are among them; the plan looks at both, and at the upcard's value. Nothing
else is known of a suit, so the other cards of a value are any of those of a full shoe that the hand
does not hold (`different`). What a hand gains is counted as in `playing`; what the first two cards
are, and what a split makes of them, in `shown_opening`.
"""

from typing import Final, NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Floats, Ints, compiled
from compliance.certification.blackjack.contexts import FIRST_SPLIT
from compliance.certification.blackjack.dealer import LOWEST, PUSHING_BUST
from compliance.certification.blackjack.hands import VALUES, Hands
from compliance.certification.blackjack.multiplied import winning_chance
from compliance.certification.blackjack.opening import DOUBLE, HIT
from compliance.certification.blackjack.playing import bust_gain
from compliance.certification.blackjack.standing import Pays
from compliance.certification.blackjack.tally import Against, meet
from rounds.rules.blackjack.totals import TWENTY_ONE

_ACES: Final = 0
CONTEXTS: Final = FIRST_SPLIT + VALUES
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
    shape = (CONTEXTS, len(hands.points))
    ends = Ends(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))
    for context in range(CONTEXTS):
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

"""Value of main-bet hands for a player who knows the multiplier cards of the round.

They are exposed before the deal. The state of a hand is the values of its cards and the multiplier
cards among them; the plan depends on both and on the upcard. The other cards of a value are a
random sample of a full shoe (`distinct_cards`). Gains are defined as in `hit_or_stand`; opening
hands and splits are in `exposed_opening`.
"""

from typing import Final, NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.contexts import FIRST_SPLIT
from compliance.certification.returns.blackjack.dealer import LOWEST, PUSHING_BUST
from compliance.certification.returns.blackjack.hands import VALUES, Hands
from compliance.certification.returns.blackjack.hit_or_stand import bust_gain
from compliance.certification.returns.blackjack.jit_compiler import Floats, Ints, compiled
from compliance.certification.returns.blackjack.multiplier_cards import winning_chance
from compliance.certification.returns.blackjack.opening_decisions import DOUBLE, HIT
from compliance.certification.returns.blackjack.payout_totals import DealerSide, update_endings
from compliance.certification.returns.blackjack.stand_values import Pays
from rounds.rules.blackjack.totals import TWENTY_ONE

_ACES: Final = 0
CONTEXTS: Final = FIRST_SPLIT + VALUES
"""Number of contexts: the dealt hand, then split hands by value."""
_TWO: Final = 2


class StandChances(NamedTuple):
    """By context and standing hand: chances against a dealer without blackjack."""

    wins: Floats
    pushes: Floats
    """A dealer bust that pushes unless the hand holds a multiplier card."""
    loses: Floats
    safe: Floats
    """The chance that the dealer has no blackjack."""


class ExposedCards(NamedTuple):
    """The multiplier cards of a round, and the composition of a full shoe by value."""

    columns: Ints
    times: Floats
    copies: float
    """Number of copies of each card."""
    full: Floats


class BasePlan(NamedTuple):
    """The plan of a player who ignores the multiplier cards, by context."""

    hits: Ints
    first: Ints
    """The first decision on two cards, by their columns."""


class UpcardPlay(NamedTuple):
    """A round under one upcard, with peek, and how it is played."""

    hands: Hands
    ends: StandChances
    shoe: Floats
    """Without the upcard."""
    pays: Pays
    blackjack: float
    """The gain of a blackjack."""
    base: BasePlan
    ignores: bool
    """Whether the play ignores the multiplier cards."""
    exposed: ExposedCards


@compiled
def stand_chances(hands: Hands, shoe: Floats, against: DealerSide) -> StandChances:
    """The chances of every hand in every context; ``shoe`` lacks the upcard."""
    shape = (CONTEXTS, len(hands.points))
    ends = StandChances(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))
    for context in range(CONTEXTS):
        for hand in range(1, len(hands.points)):
            left = shoe - hands.counts[hand]
            if context >= FIRST_SPLIT:
                if hands.counts[hand, context - FIRST_SPLIT] == 0:
                    continue
                left[context - FIRST_SPLIT] -= 1.0
            update_endings(against, left)
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
def can_hold(play: UpcardPlay, hand: int, mask: int) -> bool:
    """Whether a hand of these values can contain these multiplier cards."""
    for column in range(VALUES):
        needed = 0
        for card in range(len(play.exposed.columns)):
            if (mask >> card) & 1 and play.exposed.columns[card] == column:
                needed += 1
        if needed > play.hands.counts[hand, column]:
            return False
    return True


@compiled
def win_of(mask: int, odds: float, exposed: ExposedCards) -> float:
    """The gain of a win with these multiplier cards: odds times their sum, without the stake."""
    if mask == 0:
        return odds
    times = 0.0
    for card in range(len(exposed.columns)):
        if (mask >> card) & 1:
            times += exposed.times[card]
    return odds * times - 1.0


@compiled
def stand_gain(play: UpcardPlay, context: int, hand: int, mask: int) -> float:
    """The gain of standing with these multiplier cards."""
    wins = play.ends.wins[context, hand]
    if mask:
        wins += play.ends.pushes[context, hand]
    gained = win_of(mask, play.pays.win, play.exposed) * wins
    return float(gained - play.ends.loses[context, hand])


@compiled
def worth_after(play: UpcardPlay, hand: int, mask: int, column: int, worth: Floats) -> float:
    """The mean value of a hand after a card of the column, over all its suits and ranks."""
    exposed = play.exposed
    more = play.hands.after[hand, column]
    chance = exposed.copies / (exposed.full[column] - play.hands.counts[hand, column])
    rest = 1.0
    total = 0.0
    for card in range(len(exposed.columns)):
        if exposed.columns[card] == column and not (mask >> card) & 1:
            rest -= chance
            total += chance * worth[more, mask | (1 << card)]
    return float(total + rest * worth[more, mask])


@compiled
def card_gain(
    play: UpcardPlay, hand: int, mask: int, left: Floats, stakes: int, worth: Floats
) -> float:
    """The gain of a hand by one more card."""
    gain = 0.0
    cards = left.sum()
    for column in range(VALUES):
        if left[column] <= 0.0:
            continue
        if play.hands.after[hand, column] < 0:
            gained = bust_gain(left, column, stakes, play.pays)
        else:
            gained = stakes * worth_after(play, hand, mask, column, worth)
        gain += left[column] / cards * gained
    return gain


@compiled
def play_hand(
    play: UpcardPlay,
    context: int,
    hand: int,
    mask: int,
    left: Floats,
    worth: Floats,
    stands: Floats,
) -> float:
    """The value of a hand; stores its value without doubling.

    ``worth`` and ``stands`` have a row per hand and a column per set of multiplier cards in it.
    """
    hands = play.hands
    stand = stand_gain(play, context, hand, mask)
    stands[hand, mask] = worth[hand, mask] = stand
    if hands.points[hand] == TWENTY_ONE:
        return stand
    hit = card_gain(play, hand, mask, left, 1, worth)
    if play.base.hits[context, hand] if play.ignores else hit > stand:
        worth[hand, mask] = hit
    if hands.cards[hand] != _TWO:
        return float(worth[hand, mask])
    double = card_gain(play, hand, mask, left, 2, stands)
    if not play.ignores:
        return max(stand, hit, double)
    held = np.nonzero(hands.counts[hand])[0]
    first = play.base.first[context, held[0], held[-1]]
    if first == DOUBLE:
        return double
    return hit if first == HIT else stand


@compiled
def play_exposed(play: UpcardPlay, context: int, opened: Floats) -> None:
    """Stores the value of every unsplit hand of two cards in a context."""
    left = play.shoe.copy()
    holding = context - FIRST_SPLIT
    if holding >= 0:
        left[holding] -= 1.0
    worth = np.zeros(opened.shape)
    stands = np.zeros(opened.shape)
    for hand in range(len(play.hands.points) - 1, 0, -1):
        if holding >= 0 and play.hands.counts[hand, holding] == 0:
            continue
        rest = left - play.hands.counts[hand]
        for mask in range(opened.shape[1]):
            if can_hold(play, hand, mask):
                opened[hand, mask] = play_hand(play, context, hand, mask, rest, worth, stands)
    if holding == _ACES:
        opened[:] = stands

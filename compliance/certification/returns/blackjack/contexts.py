"""Contexts of a hand: dealt from the full shoe, after a split, or after a zap of two cards.

A split hand starts from one card of the pair, with the other removed from the shoe. Its plan
depends on its own cards and the upcard only, so both split hands have the same value (one split per
box). Zapped cards are removed from the shoe.
"""

from typing import NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.dealer import Draws
from compliance.certification.returns.blackjack.game_terms import Terms
from compliance.certification.returns.blackjack.hands import VALUES, Hands
from compliance.certification.returns.blackjack.hit_or_stand import (
    Chart,
    TwoCards,
    fill_twos,
    play_all,
)
from compliance.certification.returns.blackjack.jit_compiler import Floats, Ints, compiled
from compliance.certification.returns.blackjack.stand_values import Pays, StandValues, stand_all
from rounds.rules.blackjack.totals import total_of_values

FIRST_SPLIT = 1
"""Context 0 is the dealt hand; then follow the split pairs from the Aces on, then the zaps."""


class Contexts(NamedTuple):
    """Discarded cards and starting card of each context."""

    discards: Floats
    holding: Ints
    """Column of the starting card, -1 for any."""
    of_zap: Ints
    """Context after a zap of two cards, by their columns; 0 if no zap is allowed."""


class PreparedHands(NamedTuple):
    """Chart-independent values under one upcard, one row per context."""

    shoe: Floats
    """Without the upcard."""
    gain: Floats
    blackjack: Floats


def contexts_of(terms: Terms) -> Contexts:
    """The contexts of a game."""
    discards = [np.zeros(VALUES), *np.eye(VALUES)]
    holding = [-1, *range(VALUES)]
    of_zap = np.zeros((VALUES, VALUES), dtype=np.int64)
    for first in range(VALUES):
        for second in range(first, VALUES):
            total = total_of_values((first + 1, second + 1))
            if total.points in terms.zaps and not total.is_soft:
                of_zap[first, second] = of_zap[second, first] = len(holding)
                discards.append(np.eye(VALUES)[first] + np.eye(VALUES)[second])
                holding.append(-1)
    return Contexts(np.array(discards), np.array(holding, dtype=np.int64), of_zap)


@compiled
def prepare(
    hands: Hands, draws: Draws, contexts: Contexts, shoe: Floats, pays: Pays
) -> PreparedHands:
    """The value of standing for every hand in every context; ``shoe`` lacks the upcard."""
    count = len(contexts.holding)
    gain = np.empty((count, len(hands.points)))
    blackjack = np.empty((count, len(hands.points)))
    for context in range(count):
        left = shoe - contexts.discards[context]
        stood = stand_all(hands, draws, left, contexts.holding[context], pays)
        gain[context] = stood.gain
        blackjack[context] = stood.blackjack
    return PreparedHands(shoe, gain, blackjack)


@compiled
def play_contexts(
    hands: Hands, contexts: Contexts, ready: PreparedHands, chart: Chart, pays: Pays
) -> TwoCards:
    """The hands of two cards, one row per context."""
    count = len(contexts.holding)
    shape = (count, VALUES, VALUES)
    twos = TwoCards(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))
    for context in range(count):
        left = ready.shoe - contexts.discards[context]
        holding = contexts.holding[context]
        stood = StandValues(ready.gain[context], ready.blackjack[context])
        gains = play_all(hands, stood, left, holding, chart, pays).gains
        rows = TwoCards(
            twos.stand[context], twos.hit[context], twos.double[context], twos.safe[context]
        )
        fill_twos(hands, stood, gains, left, holding, pays, rows)
    return twos

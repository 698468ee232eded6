"""The shoes from which a hand can be played: all cards in it, a card of a pair gone, two zapped.

A hand of a split is played from one card of the pair, the other being seen: its plan looks at its
own cards and the upcard alone, so both hands of a split are worth the same (readings: once a hand).
Zapped cards are seen and do not come back.
"""

from typing import NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Floats, Ints, compiled
from compliance.certification.blackjack.dealer import Draws
from compliance.certification.blackjack.hands import VALUES, Hands
from compliance.certification.blackjack.playing import Chart, Twos, fill_twos, play_all
from compliance.certification.blackjack.standing import Pays, Stood, stand_all
from compliance.certification.blackjack.terms import Terms
from rounds.rules.blackjack.totals import total_of_values

FIRST_SPLIT = 1
"""Context 0 is the hand as it was dealt; then the pairs from the Aces on; then what was zapped."""


class Contexts(NamedTuple):
    """What is discarded in each context, and what its hands hold."""

    discards: Floats
    holding: Ints
    """The column of the card from which the hand is played, -1 where any will do."""
    of_zap: Ints
    """The context after a zap of two cards, by their columns; 0 where they cannot be zapped."""


class Ready(NamedTuple):
    """All that a chart does not change under one upcard: a row a context."""

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
def prepare(hands: Hands, draws: Draws, contexts: Contexts, shoe: Floats, pays: Pays) -> Ready:
    """Every hand standing in every context, under the upcard that was taken from the shoe."""
    count = len(contexts.holding)
    gain = np.empty((count, len(hands.points)))
    blackjack = np.empty((count, len(hands.points)))
    for context in range(count):
        left = shoe - contexts.discards[context]
        stood = stand_all(hands, draws, left, contexts.holding[context], pays)
        gain[context] = stood.gain
        blackjack[context] = stood.blackjack
    return Ready(shoe, gain, blackjack)


@compiled
def play_contexts(hands: Hands, contexts: Contexts, ready: Ready, chart: Chart, pays: Pays) -> Twos:
    """The hands of two cards in every context, a row a context."""
    count = len(contexts.holding)
    shape = (count, VALUES, VALUES)
    twos = Twos(np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape))
    for context in range(count):
        left = ready.shoe - contexts.discards[context]
        holding = contexts.holding[context]
        stood = Stood(ready.gain[context], ready.blackjack[context])
        gains = play_all(hands, stood, left, holding, chart, pays).gains
        rows = Twos(
            twos.stand[context], twos.hit[context], twos.double[context], twos.safe[context]
        )
        fill_twos(hands, stood, gains, left, holding, pays, rows)
    return twos

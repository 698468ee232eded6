"""Evidence that shoes are not well shuffled. Pure: no database.

The chance of the next card is its number of unseen copies by the number of unseen cards; cards
burnt face down are unseen. This is exact for drawing without replacement and for rounds whose end
depends on their cards: card by card, the evidence is a martingale.

Alternatives are cards, ranks and suits with a weight: one of weight 1.05 is drawn like 1.05 copies.
A draw contributes the ratio of both chances.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rounds.rules.cards import CARDS, RANKS, SUITS

Floats = NDArray[np.float64]

WEIGHTS: Final = (0.8, 0.95, 1.05, 1.25)
_GROUPS: Final = (*CARDS, *RANKS, *SUITS)
ALTERNATIVES: Final = tuple((group, weight) for weight in WEIGHTS for group in _GROUPS)
"""In the order of ``Draws.logs``."""

_AT_ONCE: Final = 64
"""Number of ratios multiplied before taking the logarithm; the product stays near one."""


class Dealt(NamedTuple):
    """The cards of one round, as indices of ``CARDS``, and the cards of its shoe seen before."""

    cards: Sequence[int]
    seen: bytes
    """Seen copies of each card of ``CARDS``; all zero for a fresh shoe."""


class Draws(NamedTuple):
    """Sums over draws: by card of ``CARDS``, and by alternative."""

    rounds: int
    dealt: NDArray[np.int64]
    expected: Floats
    """Sum of the chances of each card."""
    variance: Floats
    logs: Floats
    """Log likelihood ratio of each of ``ALTERNATIVES``."""

    def plus(self, other: "Draws") -> "Draws":
        """The sum of both."""
        return Draws(
            self.rounds + other.rounds,
            self.dealt + other.dealt,
            self.expected + other.expected,
            self.variance + other.variance,
            self.logs + other.logs,
        )


def no_draws() -> Draws:
    """Draws with all sums zero."""
    cards = len(CARDS)
    zeros = (np.zeros(cards), np.zeros(cards), np.zeros(len(ALTERNATIVES)))
    return Draws(0, np.zeros(cards, dtype=np.int64), *zeros)


def read_draws(rounds: Sequence[Dealt], *, decks: int) -> Draws:
    """Sums over the draws of these rounds; up to a few thousand rounds per call."""
    cards = np.array([card for dealt in rounds for card in dealt.cards], dtype=np.intp)
    if not len(cards):
        return no_draws()._replace(rounds=len(rounds))
    of_round = np.repeat(np.arange(len(rounds)), [len(dealt.cards) for dealt in rounds])
    left = _left_before(cards, of_round, rounds, decks)
    whole = left.sum(axis=1, keepdims=True)
    chances = left / whole
    shares = _by_group(chances)
    dealt = np.bincount(cards, minlength=len(CARDS))
    [drawn] = _by_group(dealt[np.newaxis].astype(np.float64))
    return Draws(
        len(rounds),
        dealt,
        chances.sum(axis=0),
        (chances * (1 - chances)).sum(axis=0),
        np.concatenate([drawn * np.log(w) - _log_sum(1 + (w - 1) * shares) for w in WEIGHTS]),
    )


def _by_group(of_cards: Floats) -> Floats:
    """Sums the columns of cards to columns of ``_GROUPS``; one row per draw."""
    by_suit = of_cards.reshape(-1, len(SUITS), len(RANKS))  # as ``CARDS`` are in order
    return np.concatenate([of_cards, by_suit.sum(axis=1), by_suit.sum(axis=2)], axis=1)


def _log_sum(ratios: Floats) -> Floats:
    """The sum of the logarithms of each column."""
    starts = np.arange(0, len(ratios), _AT_ONCE)
    return np.asarray(np.log(np.multiply.reduceat(ratios, starts, axis=0)).sum(axis=0))


def _left_before(
    cards: NDArray[np.intp], of_round: NDArray[np.intp], rounds: Sequence[Dealt], decks: int
) -> Floats:
    """Unseen copies of each card before each draw; one row per draw."""
    once = np.zeros((len(cards), len(CARDS)), dtype=np.int32)
    once[np.arange(len(cards)), cards] = 1
    before = np.cumsum(once, axis=0) - once
    starts = np.searchsorted(of_round, np.arange(len(rounds)))
    at_start = before[np.minimum(starts, len(cards) - 1)]
    seen = np.frombuffer(b"".join(dealt.seen for dealt in rounds), dtype=np.uint8)
    base = seen.reshape(len(rounds), len(CARDS)).astype(np.int32)
    left = decks - base[of_round] - (before - at_start[of_round])
    # A misread card can exceed the number of copies, where a review upheld the round.
    return np.maximum(left, 0).astype(np.float64)

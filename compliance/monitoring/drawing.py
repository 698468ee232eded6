"""Evidence that cards do not leave a shoe as from a shuffled one. Pure: no database.

Whatever has left a shoe, every card that is still in it is as likely to be the next: of a card of
which so many copies are unseen among so many unseen cards, that is the chance. Cards that were
burnt face down are unseen like those in the shoe. So drawing without replacement is no
approximation here, nor is the end of a round, which its cards decide: card by card it is a fair
game against each alternative.

Alternatives are cards, ranks and suits that come more easily or less easily than the others: one
with weight 1.05 is drawn like 1.05 copies of it. What a draw says is the ratio of its two chances.
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
"""So many ratios are multiplied before their logarithm is taken; the product stays near one."""


class Dealt(NamedTuple):
    """The cards of one round, as places in ``CARDS``, and what had been seen of its shoe before."""

    cards: Sequence[int]
    seen: bytes
    """How often each card of ``CARDS`` was seen; all zero where the shoe is fresh."""


class Draws(NamedTuple):
    """Sums over draws: by card of ``CARDS``, and by alternative."""

    rounds: int
    dealt: NDArray[np.int64]
    expected: Floats
    """Of each card, its chances to be the next."""
    variance: Floats
    logs: Floats
    """What the draws say for each of ``ALTERNATIVES``: logarithms."""

    def plus(self, other: "Draws") -> "Draws":
        """Both together."""
        return Draws(
            self.rounds + other.rounds,
            self.dealt + other.dealt,
            self.expected + other.expected,
            self.variance + other.variance,
            self.logs + other.logs,
        )


def no_draws() -> Draws:
    """Nothing drawn yet."""
    cards = len(CARDS)
    zeros = (np.zeros(cards), np.zeros(cards), np.zeros(len(ALTERNATIVES)))
    return Draws(0, np.zeros(cards, dtype=np.int64), *zeros)


def read_draws(rounds: Sequence[Dealt], *, decks: int) -> Draws:
    """What the cards of these rounds say; a few thousand rounds at a time."""
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
    """Figures of the cards as figures of ``_GROUPS``, which are summed up; a row a draw."""
    by_suit = of_cards.reshape(-1, len(SUITS), len(RANKS))  # as ``CARDS`` are in order
    return np.concatenate([of_cards, by_suit.sum(axis=1), by_suit.sum(axis=2)], axis=1)


def _log_sum(ratios: Floats) -> Floats:
    """The sum of the logarithms of each column."""
    starts = np.arange(0, len(ratios), _AT_ONCE)
    return np.asarray(np.log(np.multiply.reduceat(ratios, starts, axis=0)).sum(axis=0))


def _left_before(
    cards: NDArray[np.intp], of_round: NDArray[np.intp], rounds: Sequence[Dealt], decks: int
) -> Floats:
    """For each draw, how many of each card were unseen before it; a row a draw."""
    once = np.zeros((len(cards), len(CARDS)), dtype=np.int32)
    once[np.arange(len(cards)), cards] = 1
    before = np.cumsum(once, axis=0) - once
    starts = np.searchsorted(of_round, np.arange(len(rounds)))
    at_start = before[np.minimum(starts, len(cards) - 1)]
    seen = np.frombuffer(b"".join(dealt.seen for dealt in rounds), dtype=np.uint8)
    base = seen.reshape(len(rounds), len(CARDS)).astype(np.int32)
    left = decks - base[of_round] - (before - at_start[of_round])
    # Two persons may have let a round stand whose card was misread as one too many.
    return np.maximum(left, 0).astype(np.float64)

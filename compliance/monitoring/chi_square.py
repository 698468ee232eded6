"""Pearson's chi-square of cards against a shuffled shoe. Pure: no database.

It is for one look at what somebody has a reason to ask about. Whoever looks every day, and waits
for a small chance, finds one at every table; for that there is ``evidence``.

- A shoe: how far the 52 counts of its seen cards are from equal. They left it without replacement,
  so they lie closer together than independent draws would, by (N - n) / (N - 1) with n cards seen
  of N; cards that were burnt face down are unseen like those in the shoe.
- Tables: by how much each card came more or less often than its chances, which were counted draw
  by draw (``drawing``). The 52 variances are those of one shuffled shoe, so their mean stands for
  each: with its own, which depends on when the card came, a shoe would seem too far off.

In both cases 51 of the 52 differences are free.
"""

from collections.abc import Sequence
from itertools import count
from math import exp, lgamma, log
from typing import Final, NamedTuple

from rounds.rules.cards import CARDS

LEAST_CARDS: Final = 23
"""Of 52 kinds that are equally likely so many have to be seen, and as many unseen.

The approximation wants n² / 52 to be 10 at least (Koehler and Larntz 1980). What is not seen
differs from its share by as much as what is, so it has to be as many.
"""
LEAST_DEALT: Final = 260
"""So many cards of a table: each is to be expected five times (Cochran 1954)."""

_KINDS: Final = len(CARDS)
_DEGREES: Final = _KINDS - 1
_CLOSE: Final = 1e-15
_TINY: Final = 1e-300


class ChiSquare(NamedTuple):
    """How far counts lie from what chance lets expect."""

    statistic: float
    degrees: int
    """Of freedom."""
    chance: float
    """That shuffled shoes are at least so far off."""


def of_shoe(seen: Sequence[int], *, decks: int) -> ChiSquare | None:
    """Of the cards seen of one shoe, by ``CARDS``; None with too few of them, or too few left."""
    size, number = decks * _KINDS, sum(seen)
    left = size - number
    if min(number, left) < LEAST_CARDS:
        return None
    expected = number / _KINDS
    squares = sum((times - expected) ** 2 for times in seen)
    return _judged(squares / expected * (size - 1) / left)


def of_draws(
    dealt: Sequence[int], expected: Sequence[float], variance: Sequence[float]
) -> ChiSquare | None:
    """Of the cards of many rounds, by ``CARDS``; None where they are too few."""
    if sum(dealt) < LEAST_DEALT:
        return None
    squares = sum((times - due) ** 2 for times, due in zip(dealt, expected, strict=True))
    return _judged(squares / sum(variance) * _DEGREES)


def chance_beyond(statistic: float, degrees: int) -> float:
    """The chance of such a chi-square or a greater one.

    The regularised upper incomplete gamma function of half of both (Abramowitz and Stegun 6.5.29
    and 6.5.31), to some 1e-14. Raises ValueError.
    """
    if not (statistic >= 0 and degrees > 0):
        raise ValueError(f"found {statistic} on {degrees}; needed 0 or more on 1 or more")
    shape, at = degrees / 2, statistic / 2
    if not at:
        return 1.0
    factor = exp(shape * log(at) - at - lgamma(shape))
    if at < shape + 1:
        return 1.0 - factor * _series(shape, at)
    return factor * _fraction(shape, at)


def _judged(statistic: float) -> ChiSquare:
    return ChiSquare(statistic, _DEGREES, chance_beyond(statistic, _DEGREES))


def _series(shape: float, at: float) -> float:
    """Of the lower function, without its factor; quick where ``at`` is small."""
    term = total = 1 / shape
    for step in count(1):
        term *= at / (shape + step)
        total += term
        if term < total * _CLOSE:
            break
    return total


def _fraction(shape: float, at: float) -> float:
    """The continued fraction of the upper function, by Lentz; quick where ``at`` is great."""
    even = at + 1 - shape
    above, below = 1 / _TINY, 1 / even
    total = below
    for step in count(1):
        part = step * (shape - step)
        even += 2
        below = 1 / (part * below + even or _TINY)
        above = even + part / above or _TINY
        total *= above * below
        if abs(above * below - 1) < _CLOSE:
            break
    return total

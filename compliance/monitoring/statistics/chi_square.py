"""Pearson's chi-square of cards against a shuffled shoe. Pure: no database.

For a single test with a reason. Repeated daily tests find a small p-value at every table sooner or
later; use ``evidence`` for continuous monitoring.

- A shoe: deviation of the 52 counts of its seen cards from equality. Drawing without replacement
  reduces the variance by (N - n) / (N - 1) with n of N cards seen; burnt cards are unseen.
- Tables: deviation of each card from its expected count, computed draw by draw (``card_draws``).
  The mean of the 52 variances is used for each card: the variance of a single card depends on when
  it was drawn and would overstate the deviation.

Both have 51 degrees of freedom.
"""

from collections.abc import Sequence
from itertools import count
from math import exp, lgamma, log
from typing import Final, NamedTuple

from rounds.rules.cards import CARDS

LEAST_CARDS: Final = 23
"""Minimum number of seen cards of a shoe, and of unseen ones.

The approximation requires n² / 52 of at least 10 (Koehler and Larntz 1980). Unseen cards deviate by
as much as seen ones, hence the same minimum.
"""
LEAST_DEALT: Final = 260
"""Minimum number of cards of a table: an expected count of five each (Cochran 1954)."""

_KINDS: Final = len(CARDS)
_DEGREES: Final = _KINDS - 1
_CLOSE: Final = 1e-15
_TINY: Final = 1e-300


class ChiSquare(NamedTuple):
    """Result of a chi-square test."""

    statistic: float
    degrees: int
    """Degrees of freedom."""
    chance: float
    """p-value."""


def of_shoe(seen: Sequence[int], *, decks: int) -> ChiSquare | None:
    """Test of the seen cards of one shoe, by ``CARDS``; None with too few seen or unseen."""
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
    """Test of the cards of many rounds, by ``CARDS``; None with too few."""
    if sum(dealt) < LEAST_DEALT:
        return None
    squares = sum((times - due) ** 2 for times, due in zip(dealt, expected, strict=True))
    return _judged(squares / sum(variance) * _DEGREES)


def chance_beyond(statistic: float, degrees: int) -> float:
    """The upper tail probability of the chi-square distribution.

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
    """Series of the lower function, without its factor; converges fast for small ``at``."""
    term = total = 1 / shape
    for step in count(1):
        term *= at / (shape + step)
        total += term
        if term < total * _CLOSE:
            break
    return total


def _fraction(shape: float, at: float) -> float:
    """Continued fraction of the upper function (Lentz); converges fast for large ``at``."""
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

"""All hands of a player by value, and the hand after each further card."""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.jit_compiler import Flags, Ints
from rounds.rules.blackjack.totals import TEN, TWENTY_ONE, total_of_values

VALUES: Final = TEN
"""Values 1 to 10 are columns 0 to 9."""
SOFT: Final = TWENTY_ONE + 1
CELLS: Final = 2 * SOFT
"""Rows of a chart: hard totals 0 to 21, then soft ones."""

_Counts = tuple[int, ...]


class Hands(NamedTuple):
    """All hands up to 21 as columns, sorted by their hard sum.

    A hand comes after every hand from which it can be drawn.
    """

    counts: Ints
    """Number of cards of each value, one row per hand."""
    points: Ints
    cell: Ints
    """The row of a chart: the total, 22 more where it is soft."""
    cards: Ints
    after: Ints
    """Index of the hand after a card of each value, -1 for a bust."""
    hard: Flags


@cache
def every_hand() -> Hands:
    """All 3,082 hands up to 21, including the empty hand and those of one card."""
    all_counts = sorted(
        _hands_from((), VALUES, TWENTY_ONE), key=lambda counts: (_sum_of(counts), counts)
    )
    number = {counts: index for index, counts in enumerate(all_counts)}
    after = [
        [number.get(_with(counts, column), -1) for column in range(VALUES)] for counts in all_counts
    ]
    totals = [total_of_values(_values_of(counts)) for counts in all_counts]
    return Hands(
        counts=np.array(all_counts, dtype=np.int64),
        points=np.array([total.points for total in totals], dtype=np.int64),
        cell=np.array([total.points + SOFT * total.is_soft for total in totals], dtype=np.int64),
        cards=np.array([sum(counts) for counts in all_counts], dtype=np.int64),
        after=np.array(after, dtype=np.int64),
        hard=np.array([not total.is_soft for total in totals], dtype=np.bool_),
    )


def _hands_from(chosen: _Counts, value: int, left: int) -> Iterator[_Counts]:
    """All ways to add cards of this value and below, highest values first."""
    if value == 0:
        yield chosen[::-1]
        return
    for count in range(left // value + 1):
        yield from _hands_from((*chosen, count), value - 1, left - count * value)


def _sum_of(counts: _Counts) -> int:
    return sum(value * count for value, count in enumerate(counts, 1))


def _with(counts: _Counts, column: int) -> _Counts:
    return (*counts[:column], counts[column] + 1, *counts[column + 1 :])


def _values_of(counts: _Counts) -> tuple[int, ...]:
    return tuple(value for value, count in enumerate(counts, 1) for _ in range(count))

"""Every hand that a player can hold, cards of one value being alike, and where a hit takes it."""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Flags, Ints
from rounds.rules.blackjack.totals import TEN, TWENTY_ONE, total_of_values

VALUES: Final = TEN
"""Values 1 to 10 stand in columns 0 to 9."""
SOFT: Final = TWENTY_ONE + 1
CELLS: Final = 2 * SOFT
"""Rows of a chart: hard totals 0 to 21, then soft ones."""

_Counts = tuple[int, ...]


class Hands(NamedTuple):
    """All hands up to 21 as columns, from the empty one upwards by their sum, Aces counting one.

    So a hand stands behind every hand from which it is drawn.
    """

    counts: Ints
    """How many cards of each value, a row a hand."""
    points: Ints
    cell: Ints
    """The row of a chart: the total, 22 more where it is soft."""
    cards: Ints
    after: Ints
    """The hand that a card of each value makes of it, -1 where it goes bust."""
    hard: Flags


@cache
def every_hand() -> Hands:
    """All 3,082 hands up to 21, the empty one and those of one card among them."""
    found = sorted(_hands_from((), VALUES, TWENTY_ONE), key=lambda one: (_sum_of(one), one))
    number = {counts: index for index, counts in enumerate(found)}
    after = [
        [number.get(_with(counts, column), -1) for column in range(VALUES)] for counts in found
    ]
    totals = [total_of_values(_values_of(counts)) for counts in found]
    return Hands(
        counts=np.array(found, dtype=np.int64),
        points=np.array([total.points for total in totals], dtype=np.int64),
        cell=np.array([one.points + SOFT * one.is_soft for one in totals], dtype=np.int64),
        cards=np.array([sum(counts) for counts in found], dtype=np.int64),
        after=np.array(after, dtype=np.int64),
        hard=np.array([not total.is_soft for total in totals], dtype=np.bool_),
    )


def _hands_from(chosen: _Counts, value: int, left: int) -> Iterator[_Counts]:
    """All ways to add cards of this value and below, the tens chosen first."""
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

"""Search for the best total-dependent strategy chart (total, soft or hard, pair).

A row covers every composition of its total, so a decision in one row changes how often the others
are reached. The search starts from a plain chart, flips one flag at a time, evaluates the whole
chart exactly and keeps each improvement, until no single flip improves the chart.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from compliance.certification.returns.blackjack.hands import CELLS, SOFT, VALUES
from compliance.certification.returns.blackjack.hit_or_stand import Chart
from compliance.certification.returns.blackjack.jit_compiler import Flags
from compliance.certification.returns.blackjack.upcards import Upcard
from rounds.rules.blackjack.totals import TWENTY_ONE

_LEAST_HARD: Final = 4
_LEAST_SOFT: Final = 12
_STANDS_ON: Final = 17
_GAINS: Final = 1e-14
"""Minimum gain of an improvement; anything smaller is rounding."""

ROWS: Final = (*range(_LEAST_HARD, TWENTY_ONE), *range(SOFT + _LEAST_SOFT, SOFT + TWENTY_ONE))
"""The rows with a decision."""


def unused_chart() -> Chart:
    """A placeholder for composition-dependent play."""
    return _chart_of(_flags(), is_used=False)


def best_chart(upcard: Upcard) -> Chart:
    """The chart under one upcard that no single flip improves."""
    chart = _plain_chart()
    twos = upcard.twos(chart)
    best = upcard.opened(twos, chart)[0].gain
    gained = True
    while gained:
        gained = False
        for flags, row in turns(upcard, chart):
            flags[row] = not flags[row]
            tried = upcard.twos(chart) if flags is chart.hits else twos
            gain = upcard.opened(tried, chart)[0].gain
            if gain > best + _GAINS:
                best, twos, gained = gain, tried, True
            else:
                flags[row] = not flags[row]
    return chart


def turns(upcard: Upcard, chart: Chart) -> Iterator[tuple[Flags, int]]:
    """All flags of a chart that matter under this upcard, each with its row."""
    for flags in (chart.hits, chart.doubles):
        for row in ROWS:
            yield flags, row
    for column in range(VALUES):
        yield chart.splits, column
    zapped = upcard.table.cells[upcard.contexts.of_zap > 0]
    for row in sorted(set(zapped.tolist())):
        yield chart.zaps, row


def _plain_chart() -> Chart:
    """Hits hard totals that cannot bust and soft hands below 17; nothing else."""
    hits = _flags()
    hits[:_LEAST_SOFT] = True
    hits[SOFT : SOFT + _STANDS_ON] = True
    return _chart_of(hits, is_used=True)


def _chart_of(hits: Flags, *, is_used: bool) -> Chart:
    return Chart(is_used, hits, _flags(), _flags(), _flags())


def _flags() -> Flags:
    return np.zeros(CELLS, dtype=np.bool_)

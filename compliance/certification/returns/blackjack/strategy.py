"""Strategy tables: a row per hand, a letter per upcard.

S stand, H hit, D double, P split, Z zap; a hyphen is a blackjack. In a chart, two letters are a
choice for two cards only and the fallback: DH doubles, else hits; ZS zaps, else stands.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from compliance.certification.returns.blackjack.charts import ROWS
from compliance.certification.returns.blackjack.hands import SOFT, VALUES
from compliance.certification.returns.blackjack.hit_or_stand import Chart
from compliance.certification.returns.blackjack.jit_compiler import Ints
from compliance.certification.returns.blackjack.upcards import cells_of_twos

Strategy = Mapping[str, tuple[str, ...]]
"""Letters by hand: ``hard 16``, ``soft 18`` and ``8+8`` in a chart, else by two cards."""

UPCARDS: Final = (*range(2, VALUES + 1), 1)
"""The order of the letters: 2 to 10, then the Ace."""
_LETTERS: Final = "SHDPZ-"
"""By decision number of `opening_decisions`."""


def chart_strategy(charts: Sequence[Chart]) -> Strategy:
    """The charts of upcards 1 to 10 combined."""
    ordered = [charts[value - 1] for value in UPCARDS]
    rows = {_name_of(row): tuple(_by_total(chart, row) for chart in ordered) for row in ROWS}
    pairs = {}
    for column in range(VALUES):
        row = int(cells_of_twos()[column, column])
        pairs[_two_cards(column, column)] = tuple(
            "P" if chart.splits[column] else _by_total(chart, row) for chart in ordered
        )
    return rows | pairs


def opening_strategy(decisions: Sequence[Ints]) -> Strategy:
    """The first decisions under upcards 1 to 10, by two cards."""
    return {
        _two_cards(i, j): tuple(_LETTERS[int(decisions[value - 1][i, j])] for value in UPCARDS)
        for i in range(VALUES)
        for j in range(i, VALUES)
    }


def _name_of(row: int) -> str:
    return f"soft {row - SOFT}" if row >= SOFT else f"hard {row}"


def _two_cards(i: int, j: int) -> str:
    names = ["A" if column == 0 else str(column + 1) for column in (i, j)]
    return "+".join(names)


def _by_total(chart: Chart, row: int) -> str:
    """The letters of a row: first choice and fallback."""
    fallback = "H" if chart.hits[row] else "S"
    if chart.zaps[row]:
        return f"Z{fallback}"
    return f"D{fallback}" if chart.doubles[row] else fallback

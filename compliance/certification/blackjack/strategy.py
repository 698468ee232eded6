"""A strategy as people read it: a row for each hand, a letter for each upcard.

S stands, H hits, D doubles, P splits, Z zaps; a hyphen is a blackjack, which takes no decision. In
a chart two letters are a choice that only two cards have, and what is done otherwise: DH doubles,
else hits; ZS zaps, else stands.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from compliance.certification.blackjack.charts import ROWS
from compliance.certification.blackjack.compiled import Ints
from compliance.certification.blackjack.hands import SOFT, VALUES
from compliance.certification.blackjack.playing import Chart
from compliance.certification.blackjack.upcards import cells_of_twos

Strategy = Mapping[str, tuple[str, ...]]
"""By ``hard 16``, ``soft 18`` and ``8+8`` for a chart, by two cards else; a letter an upcard."""

UPCARDS: Final = (*range(2, VALUES + 1), 1)
"""The order of the letters: 2 to 10, then the Ace."""
_LETTERS: Final = "SHDPZ-"
"""By the numbers of the decisions in `opening`."""


def chart_strategy(charts: Sequence[Chart]) -> Strategy:
    """The charts under upcards 1 to 10 as one."""
    shown = [charts[value - 1] for value in UPCARDS]
    rows = {_name_of(row): tuple(_by_total(chart, row) for chart in shown) for row in ROWS}
    pairs = {}
    for column in range(VALUES):
        row = int(cells_of_twos()[column, column])
        pairs[_two_cards(column, column)] = tuple(
            "P" if chart.splits[column] else _by_total(chart, row) for chart in shown
        )
    return rows | pairs


def opening_strategy(decisions: Sequence[Ints]) -> Strategy:
    """The first decisions under upcards 1 to 10; later ones look at more cards than two."""
    return {
        _two_cards(one, two): tuple(
            _LETTERS[int(decisions[value - 1][one, two])] for value in UPCARDS
        )
        for one in range(VALUES)
        for two in range(one, VALUES)
    }


def _name_of(row: int) -> str:
    return f"soft {row - SOFT}" if row >= SOFT else f"hard {row}"


def _two_cards(one: int, two: int) -> str:
    names = ["A" if column == 0 else str(column + 1) for column in (one, two)]
    return "+".join(names)


def _by_total(chart: Chart, row: int) -> str:
    """The first choice before what is done where it is not to be had."""
    otherwise = "H" if chart.hits[row] else "S"
    if chart.zaps[row]:
        return f"Z{otherwise}"
    return f"D{otherwise}" if chart.doubles[row] else otherwise

"""The first decision on two cards: gain and raise of each opening hand."""

from typing import Final, NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.contexts import FIRST_SPLIT
from compliance.certification.returns.blackjack.hands import SOFT, VALUES
from compliance.certification.returns.blackjack.hit_or_stand import Chart, TwoCards
from compliance.certification.returns.blackjack.jit_compiler import Floats, Ints, compiled
from rounds.rules.blackjack.totals import TWENTY_ONE

STAND: Final = 0
HIT: Final = 1
DOUBLE: Final = 2
SPLIT: Final = 3
ZAP: Final = 4
NO_DECISION: Final = 5
_SOFT_TWENTY_ONE: Final = SOFT + TWENTY_ONE
_ACES: Final = 0
"""The column of the Aces."""


class OpeningResult(NamedTuple):
    """The result of a first decision."""

    gain: float
    raised: float
    """Mean raise over all hole cards."""
    decision: int


class Table(NamedTuple):
    """Chart-independent data of the first decision under one upcard."""

    shoe: Floats
    """Without the upcard."""
    of_zap: Ints
    """Context after a zap of two cards; 0 if no zap is allowed."""
    cells: Ints
    """The rows of a chart for two cards, by their columns."""
    blackjack: float
    """The gain of a blackjack."""
    doubles_after_split: bool
    is_looked_at: bool


@compiled
def live_chance(table: Table, twos: TwoCards, context: int, i: int, j: int) -> float:
    """The chance that the hand is played, that is that no peek ends the round."""
    return float(twos.safe[context, i, j]) if table.is_looked_at else 1.0


@compiled
def continue_hand(
    table: Table, twos: TwoCards, chart: Chart, context: int, i: int, j: int
) -> OpeningResult:
    """Stand, hit or double on two cards; 21 takes no decision."""
    stand = twos.stand[context, i, j]
    hit = twos.hit[context, i, j]
    double = twos.double[context, i, j]
    cell = table.cells[i, j]
    if cell == _SOFT_TWENTY_ONE:
        return OpeningResult(stand, 0.0, NO_DECISION)
    is_half = FIRST_SPLIT <= context < FIRST_SPLIT + VALUES
    doubles = chart.doubles[cell] if chart.is_used else double > max(hit, stand)
    if doubles and (table.doubles_after_split or not is_half):
        return OpeningResult(double, live_chance(table, twos, context, i, j), DOUBLE)
    if chart.hits[cell] if chart.is_used else hit > stand:
        return OpeningResult(hit, 0.0, HIT)
    return OpeningResult(stand, 0.0, STAND)


@compiled
def split(table: Table, twos: TwoCards, chart: Chart, column: int) -> OpeningResult:
    """The result of splitting a pair."""
    left = table.shoe.copy()
    left[column] -= 2.0
    context = FIRST_SPLIT + column
    gain = 0.0
    raised = live_chance(table, twos, 0, column, column)
    for drawn in range(VALUES):
        chance = max(left[drawn], 0.0) / left.sum()
        if column == _ACES:
            gain += 2.0 * chance * twos.stand[context, column, drawn]
        else:
            half = continue_hand(table, twos, chart, context, column, drawn)
            gain += 2.0 * chance * half.gain
            raised += 2.0 * chance * half.raised
    return OpeningResult(gain, raised, SPLIT)


@compiled
def zap(table: Table, twos: TwoCards, chart: Chart, first: int, second: int) -> OpeningResult:
    """The result of replacing two cards."""
    left = table.shoe.copy()
    left[first] -= 1.0
    left[second] -= 1.0
    cards = left.sum()
    gain = 0.0
    raised = 0.0
    for i in range(VALUES):
        for j in range(VALUES):
            chance = left[i] / cards * (left[j] - (i == j)) / (cards - 1.0)
            new = continue_hand(table, twos, chart, table.of_zap[first, second], i, j)
            gain += max(chance, 0.0) * new.gain
            raised += max(chance, 0.0) * new.raised
    return OpeningResult(gain, raised, ZAP)


@compiled
def later_decisions(table: Table, twos: TwoCards, chart: Chart, context: int) -> Ints:
    """The decisions on two cards after a split or a zap, by their columns."""
    decisions = np.full((VALUES, VALUES), NO_DECISION)
    if context != FIRST_SPLIT + _ACES:
        for i in range(VALUES):
            for j in range(VALUES):
                decisions[i, j] = continue_hand(table, twos, chart, context, i, j).decision
    return decisions


@compiled
def decide(table: Table, twos: TwoCards, chart: Chart, i: int, j: int) -> OpeningResult:
    """The best, or the chart's, first decision on two cards other than a blackjack."""
    best = continue_hand(table, twos, chart, 0, i, j)
    if i == j and (chart.splits[i] or not chart.is_used):
        other = split(table, twos, chart, i)
        if chart.is_used:
            return other
        if other.gain > best.gain:
            best = other
    if table.of_zap[i, j] and (chart.zaps[table.cells[i, j]] or not chart.is_used):
        other = zap(table, twos, chart, i, j)
        if chart.is_used or other.gain > best.gain:
            best = other
    return best


@compiled
def open_hand(table: Table, twos: TwoCards, chart: Chart, i: int, j: int) -> OpeningResult:
    """The result of two cards, including the cost of a peek."""
    if table.cells[i, j] == _SOFT_TWENTY_ONE:
        return OpeningResult(table.blackjack * twos.safe[0, i, j], 0.0, NO_DECISION)
    decided = decide(table, twos, chart, i, j)
    lost = 1.0 - live_chance(table, twos, 0, i, j)
    return OpeningResult(decided.gain - lost, decided.raised, decided.decision)


@compiled
def open_all(table: Table, twos: TwoCards, chart: Chart, decisions: Ints) -> OpeningResult:
    """The mean result of all opening hands; stores their first decisions in ``decisions``."""
    gain = 0.0
    raised = 0.0
    cards = table.shoe.sum()
    for i in range(VALUES):
        for j in range(VALUES):
            chance = table.shoe[i] / cards * (table.shoe[j] - (i == j)) / (cards - 1.0)
            opened = open_hand(table, twos, chart, min(i, j), max(i, j))
            decisions[i, j] = opened.decision
            gain += max(chance, 0.0) * opened.gain
            raised += max(chance, 0.0) * opened.raised
    return OpeningResult(gain, raised, NO_DECISION)

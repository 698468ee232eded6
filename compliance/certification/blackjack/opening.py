"""The first decision on two cards: what each opening hand gains and how much more it stakes."""

from typing import Final, NamedTuple

import numpy as np

from compliance.certification.blackjack.compiled import Floats, Ints, compiled
from compliance.certification.blackjack.contexts import FIRST_SPLIT
from compliance.certification.blackjack.hands import SOFT, VALUES
from compliance.certification.blackjack.playing import Chart, Twos
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


class Opened(NamedTuple):
    """What the first decision comes to."""

    gain: float
    raised: float
    """Staked beyond the initial stake, on average over all hole cards."""
    decision: int


class Table(NamedTuple):
    """What decides the first decision under one upcard, whatever the chart."""

    shoe: Floats
    """Without the upcard."""
    of_zap: Ints
    """The context after a zap of two cards, 0 where they cannot be zapped."""
    cells: Ints
    """The rows of a chart for two cards, by their columns."""
    blackjack: float
    """What a blackjack wins."""
    doubles_after_split: bool
    is_looked_at: bool


@compiled
def live_at(table: Table, twos: Twos, context: int, one: int, two: int) -> float:
    """How likely these two cards are played at all."""
    return float(twos.safe[context, one, two]) if table.is_looked_at else 1.0


@compiled
def go_on(table: Table, twos: Twos, chart: Chart, context: int, one: int, two: int) -> Opened:
    """Standing, hitting or doubling with two cards; 21 stands by itself."""
    stand = twos.stand[context, one, two]
    hit = twos.hit[context, one, two]
    double = twos.double[context, one, two]
    cell = table.cells[one, two]
    if cell == _SOFT_TWENTY_ONE:
        return Opened(stand, 0.0, NO_DECISION)
    is_half = FIRST_SPLIT <= context < FIRST_SPLIT + VALUES
    doubles = chart.doubles[cell] if chart.is_used else double > max(hit, stand)
    if doubles and (table.doubles_after_split or not is_half):
        return Opened(double, live_at(table, twos, context, one, two), DOUBLE)
    if chart.hits[cell] if chart.is_used else hit > stand:
        return Opened(hit, 0.0, HIT)
    return Opened(stand, 0.0, STAND)


@compiled
def split(table: Table, twos: Twos, chart: Chart, column: int) -> Opened:
    """Two hands of one pair."""
    left = table.shoe.copy()
    left[column] -= 2.0
    context = FIRST_SPLIT + column
    gain = 0.0
    raised = live_at(table, twos, 0, column, column)
    for drawn in range(VALUES):
        chance = max(left[drawn], 0.0) / left.sum()
        if column == _ACES:
            gain += 2.0 * chance * twos.stand[context, column, drawn]
        else:
            half = go_on(table, twos, chart, context, column, drawn)
            gain += 2.0 * chance * half.gain
            raised += 2.0 * chance * half.raised
    return Opened(gain, raised, SPLIT)


@compiled
def zap(table: Table, twos: Twos, chart: Chart, first: int, second: int) -> Opened:
    """Two new cards for two that are gone."""
    left = table.shoe.copy()
    left[first] -= 1.0
    left[second] -= 1.0
    cards = left.sum()
    gain = 0.0
    raised = 0.0
    for one in range(VALUES):
        for two in range(VALUES):
            chance = left[one] / cards * (left[two] - (one == two)) / (cards - 1.0)
            new = go_on(table, twos, chart, table.of_zap[first, second], one, two)
            gain += max(chance, 0.0) * new.gain
            raised += max(chance, 0.0) * new.raised
    return Opened(gain, raised, ZAP)


@compiled
def later_decisions(table: Table, twos: Twos, chart: Chart, context: int) -> Ints:
    """The decisions on two cards after a split or a zap, by their columns."""
    decisions = np.full((VALUES, VALUES), NO_DECISION)
    if context != FIRST_SPLIT + _ACES:
        for one in range(VALUES):
            for two in range(VALUES):
                decisions[one, two] = go_on(table, twos, chart, context, one, two).decision
    return decisions


@compiled
def decide(table: Table, twos: Twos, chart: Chart, one: int, two: int) -> Opened:
    """The best first decision on two cards that are no blackjack, or the chart's."""
    best = go_on(table, twos, chart, 0, one, two)
    if one == two and (chart.splits[one] or not chart.is_used):
        other = split(table, twos, chart, one)
        if chart.is_used:
            return other
        if other.gain > best.gain:
            best = other
    if table.of_zap[one, two] and (chart.zaps[table.cells[one, two]] or not chart.is_used):
        other = zap(table, twos, chart, one, two)
        if chart.is_used or other.gain > best.gain:
            best = other
    return best


@compiled
def open_hand(table: Table, twos: Twos, chart: Chart, one: int, two: int) -> Opened:
    """What two cards gain from now on, what a look costs them included."""
    if table.cells[one, two] == _SOFT_TWENTY_ONE:
        return Opened(table.blackjack * twos.safe[0, one, two], 0.0, NO_DECISION)
    decided = decide(table, twos, chart, one, two)
    lost = 1.0 - live_at(table, twos, 0, one, two)
    return Opened(decided.gain - lost, decided.raised, decided.decision)


@compiled
def open_all(table: Table, twos: Twos, chart: Chart, decisions: Ints) -> Opened:
    """All opening hands, each as likely as it is; writes down their first decisions."""
    gain = 0.0
    raised = 0.0
    cards = table.shoe.sum()
    for one in range(VALUES):
        for two in range(VALUES):
            chance = table.shoe[one] / cards * (table.shoe[two] - (one == two)) / (cards - 1.0)
            opened = open_hand(table, twos, chart, min(one, two), max(one, two))
            decisions[one, two] = opened.decision
            gain += max(chance, 0.0) * opened.gain
            raised += max(chance, 0.0) * opened.raised
    return Opened(gain, raised, NO_DECISION)

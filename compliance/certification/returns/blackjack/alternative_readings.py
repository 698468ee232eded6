"""Main bets under readings that no declaration expresses: the decision on two cards changes.

Zapped pairs are split, zapped hands not doubled, split hands zapped, or all raises returned. What
follows the decision is computed by the analysis.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np

from compliance.certification.returns.blackjack.charts import unused_chart
from compliance.certification.returns.blackjack.contexts import (
    FIRST_SPLIT,
    Contexts,
    play_contexts,
    prepare,
)
from compliance.certification.returns.blackjack.hands import VALUES
from compliance.certification.returns.blackjack.hit_or_stand import TwoCards
from compliance.certification.returns.blackjack.jit_compiler import Floats
from compliance.certification.returns.blackjack.opening_decisions import (
    NO_DECISION,
    SPLIT,
    ZAP,
    OpeningResult,
    Table,
    continue_hand,
    decide,
    live_chance,
    open_hand,
    split,
    zap,
)
from compliance.certification.returns.blackjack.upcards import Upcard, upcard_of
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import ACE

_CHART: Final = unused_chart()

Option = Callable[["UpcardAnalysis", int, int], OpeningResult]
"""The result of one decision on two cards, given by their columns."""


class Shares(NamedTuple):
    """The return of a main bet as a fraction of 1, by the best play per initial stake."""

    per_initial: float
    per_staked: float


class UpcardAnalysis(NamedTuple):
    """The analysed hands of two cards under one upcard."""

    upcard: Upcard
    table: Table
    twos: TwoCards


def all_raises_return(game: BlackjackGame) -> Shares:
    """A dealer blackjack without peek takes the initial stake only, also of splits."""
    doubles_return = game.under_ten._replace(doubles_return=True)
    returning = replace(game, under_ten=doubles_return)
    return _shares(returning, zapped=_zap, halves=_split_for_one_stake)


def zapped_hands_do_not_double(game: BlackjackGame) -> Shares:
    """A zapped hand only hits or stands."""
    return _shares(game, zapped=_zap_then_no_double, halves=_split)


def zapped_pairs_split(game: BlackjackGame) -> Shares:
    """A pair after a zap can be split, like a dealt one."""
    return _shares(game, zapped=_zap_then_anything, halves=_split)


def split_hands_zap(game: BlackjackGame) -> Shares:
    """Split hands can zap, and cannot double."""
    return _shares(game, zapped=_zap, halves=_split_then_zap)


def _shares(game: BlackjackGame, *, zapped: Option, halves: Option) -> Shares:
    gain = raised = 0.0
    for value in range(1, VALUES + 1):
        upcard = upcard_of(game, value)
        analysis = UpcardAnalysis(upcard, upcard.table, upcard.twos(_CHART))
        for i, j, chance in _twos_from(analysis.table.shoe):
            result = _open(analysis, i, j, zapped, halves)
            gain += upcard.chance * chance * result.gain
            raised += upcard.chance * chance * result.raised
    return Shares(1.0 + gain, 1.0 + gain / (1.0 + raised))


def _open(
    analysis: UpcardAnalysis, i: int, j: int, zapped: Option, halves: Option
) -> OpeningResult:
    """The best result of two cards, including the cost of a peek."""
    result: OpeningResult = open_hand(analysis.table, analysis.twos, _CHART, i, j)
    if result.decision == NO_DECISION:
        return result
    ways = [continue_hand(analysis.table, analysis.twos, _CHART, 0, i, j)]
    if i == j:
        ways.append(halves(analysis, i, j))
    if analysis.table.of_zap[i, j]:
        ways.append(zapped(analysis, i, j))
    best = max(ways, key=lambda way: way.gain)
    lost = 1.0 - live_chance(analysis.table, analysis.twos, 0, i, j)
    return best._replace(gain=best.gain - lost)


def _split(analysis: UpcardAnalysis, i: int, _two: int) -> OpeningResult:
    return split(analysis.table, analysis.twos, _CHART, i)


def _zap(analysis: UpcardAnalysis, i: int, j: int) -> OpeningResult:
    return zap(analysis.table, analysis.twos, _CHART, i, j)


def _zap_then_anything(analysis: UpcardAnalysis, i: int, j: int) -> OpeningResult:
    """Two new cards, played like a dealt hand from the remaining shoe; no second zap."""
    left = _without(analysis, i, j, halves=range(VALUES))
    gain = raised = 0.0
    for new_i, new_j, chance in _twos_from(left.table.shoe):
        new = decide(left.table, left.twos, _CHART, new_i, new_j)
        gain += chance * new.gain
        raised += chance * new.raised
    return OpeningResult(gain, raised, ZAP)


def _zap_then_no_double(analysis: UpcardAnalysis, i: int, j: int) -> OpeningResult:
    """Two new cards that only hit or stand."""
    return OpeningResult(_new_cards(_without(analysis, i, j)), 0.0, ZAP)


def _split_for_one_stake(analysis: UpcardAnalysis, column: int, _two: int) -> OpeningResult:
    """Two hands of a pair that lose one stake in all against a blackjack without peek."""
    upcard = analysis.upcard
    half = upcard.pays.single / 2.0
    pays = upcard.pays._replace(single=half, doubled=half)
    twos = play_contexts(upcard.hands, upcard.contexts, upcard.ready, _CHART, pays)
    return split(analysis.table, twos, _CHART, column)


def _split_then_zap(analysis: UpcardAnalysis, column: int, _two: int) -> OpeningResult:
    """Two hands of a pair; each stands, hits or zaps."""
    if column == ACE - 1:
        return split(analysis.table, analysis.twos, _CHART, column)
    twos, context = analysis.twos, FIRST_SPLIT + column
    left = analysis.table.shoe - 2.0 * np.eye(VALUES)[column]
    gain = 0.0
    for drawn in range(VALUES):
        stand, hit = (float(way[context, column, drawn]) for way in (twos.stand, twos.hit))
        best = max(stand, hit)
        if analysis.table.of_zap[column, drawn]:
            best = max(best, _new_cards(_without(analysis, column, column, drawn)))
        gain += 2.0 * float(left[drawn] / left.sum()) * best
    return OpeningResult(gain, live_chance(analysis.table, twos, 0, column, column), SPLIT)


def _new_cards(analysis: UpcardAnalysis) -> float:
    """The gain of two cards from this shoe that only hit or stand."""
    stand, hit = analysis.twos.stand[0], analysis.twos.hit[0]
    return sum(
        chance * max(float(stand[i, j]), float(hit[i, j]))
        for i, j, chance in _twos_from(analysis.table.shoe)
    )


def _without(analysis: UpcardAnalysis, *columns: int, halves: Sequence[int] = ()) -> UpcardAnalysis:
    """The same upcard without these cards, with split contexts for the columns ``halves``."""
    upcard, removed = analysis.upcard, np.eye(VALUES)[list(columns)].sum(axis=0)
    contexts = Contexts(
        np.vstack([removed, *(removed + np.eye(VALUES)[column] for column in halves)]),
        np.array([-1, *halves], dtype=np.int64),
        np.zeros((VALUES, VALUES), dtype=np.int64),
    )
    shoe = analysis.table.shoe
    ready = prepare(upcard.hands, upcard.draws, contexts, shoe, upcard.pays)
    twos = play_contexts(upcard.hands, contexts, ready, _CHART, upcard.pays)
    table = analysis.table._replace(shoe=shoe - removed, of_zap=contexts.of_zap)
    return UpcardAnalysis(upcard, table, twos)


def _twos_from(shoe: Floats) -> Iterator[tuple[int, int, float]]:
    """All unordered pairs of cards, with their chances."""
    cards = float(shoe.sum())
    for i, j in combinations_with_replacement(range(VALUES), 2):
        left = float(shoe[j]) - (i == j)
        orders = 1.0 if i == j else 2.0
        yield i, j, orders * max(float(shoe[i]) * left, 0.0) / (cards * (cards - 1.0))

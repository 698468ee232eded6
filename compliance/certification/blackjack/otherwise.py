"""Games read otherwise than a declaration can say: two cards are decided anew.

Zapped pairs might be split, zapped hands not doubled, the hands of a split zapped, all raises given
back. All that follows from a decision is worked out by the analysis itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np

from compliance.certification.blackjack.charts import unused_chart
from compliance.certification.blackjack.compiled import Floats
from compliance.certification.blackjack.contexts import (
    FIRST_SPLIT,
    Contexts,
    play_contexts,
    prepare,
)
from compliance.certification.blackjack.hands import VALUES
from compliance.certification.blackjack.opening import (
    NO_DECISION,
    SPLIT,
    ZAP,
    Opened,
    Table,
    decide,
    go_on,
    live_at,
    open_hand,
    split,
    zap,
)
from compliance.certification.blackjack.playing import Twos
from compliance.certification.blackjack.upcards import Upcard, upcard_of
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.blackjack.totals import ACE

_CHART: Final = unused_chart()

Option = Callable[["Under", int, int], Opened]
"""What two cards, by their columns, come to by one decision."""


class Shares(NamedTuple):
    """What a main bet gets back, as shares of 1, by the best play for each initial stake."""

    per_initial: float
    per_staked: float


class Under(NamedTuple):
    """Two cards under one upcard, with everything that can come of them."""

    upcard: Upcard
    table: Table
    twos: Twos


def all_raises_return(game: BlackjackGame) -> Shares:
    """As if a blackjack that was not looked at took the initial stake alone, of splits too."""
    doubles_return = game.under_ten._replace(doubles_return=True)
    returning = replace(game, under_ten=doubles_return)
    return _shares(returning, zapped=_zap, halves=_split_for_one_stake)


def zapped_hands_do_not_double(game: BlackjackGame) -> Shares:
    """As if nothing but hits and stands followed a zap."""
    return _shares(game, zapped=_zap_then_no_double, halves=_split)


def zapped_pairs_split(game: BlackjackGame) -> Shares:
    """As if a pair that comes of a zap might be split, like one that was dealt."""
    return _shares(game, zapped=_zap_then_anything, halves=_split)


def split_hands_zap(game: BlackjackGame) -> Shares:
    """As if the hands of a split might zap, and not double."""
    return _shares(game, zapped=_zap, halves=_split_then_zap)


def _shares(game: BlackjackGame, *, zapped: Option, halves: Option) -> Shares:
    gain = raised = 0.0
    for value in range(1, VALUES + 1):
        upcard = upcard_of(game, value)
        under = Under(upcard, upcard.table, upcard.twos(_CHART))
        for one, two, chance in _twos_from(under.table.shoe):
            opened = _open(under, one, two, zapped, halves)
            gain += upcard.chance * chance * opened.gain
            raised += upcard.chance * chance * opened.raised
    return Shares(1.0 + gain, 1.0 + gain / (1.0 + raised))


def _open(under: Under, one: int, two: int, zapped: Option, halves: Option) -> Opened:
    """The best that two cards come to, what a look costs them included."""
    opened: Opened = open_hand(under.table, under.twos, _CHART, one, two)
    if opened.decision == NO_DECISION:
        return opened
    ways = [go_on(under.table, under.twos, _CHART, 0, one, two)]
    if one == two:
        ways.append(halves(under, one, two))
    if under.table.of_zap[one, two]:
        ways.append(zapped(under, one, two))
    best = max(ways, key=lambda way: way.gain)
    lost = 1.0 - live_at(under.table, under.twos, 0, one, two)
    return best._replace(gain=best.gain - lost)


def _split(under: Under, one: int, _two: int) -> Opened:
    return split(under.table, under.twos, _CHART, one)


def _zap(under: Under, one: int, two: int) -> Opened:
    return zap(under.table, under.twos, _CHART, one, two)


def _zap_then_anything(under: Under, one: int, two: int) -> Opened:
    """Two new cards, played like two that were dealt from what is left; they do not zap again."""
    left = _without(under, one, two, halves=range(VALUES))
    gain = raised = 0.0
    for first, second, chance in _twos_from(left.table.shoe):
        new = decide(left.table, left.twos, _CHART, first, second)
        gain += chance * new.gain
        raised += chance * new.raised
    return Opened(gain, raised, ZAP)


def _zap_then_no_double(under: Under, one: int, two: int) -> Opened:
    """Two new cards that hit or stand."""
    return Opened(_new_cards(_without(under, one, two)), 0.0, ZAP)


def _split_for_one_stake(under: Under, column: int, _two: int) -> Opened:
    """Two hands of one pair that lose one stake together against a blackjack not looked at."""
    upcard = under.upcard
    half = upcard.pays.single / 2.0
    pays = upcard.pays._replace(single=half, doubled=half)
    twos = play_contexts(upcard.hands, upcard.contexts, upcard.ready, _CHART, pays)
    return split(under.table, twos, _CHART, column)


def _split_then_zap(under: Under, column: int, _two: int) -> Opened:
    """Two hands of one pair, each of which stands, hits or zaps."""
    if column == ACE - 1:
        return split(under.table, under.twos, _CHART, column)
    twos, context = under.twos, FIRST_SPLIT + column
    left = under.table.shoe - 2.0 * np.eye(VALUES)[column]
    gain = 0.0
    for drawn in range(VALUES):
        stand, hit = (float(way[context, column, drawn]) for way in (twos.stand, twos.hit))
        best = max(stand, hit)
        if under.table.of_zap[column, drawn]:
            best = max(best, _new_cards(_without(under, column, column, drawn)))
        gain += 2.0 * float(left[drawn] / left.sum()) * best
    return Opened(gain, live_at(under.table, twos, 0, column, column), SPLIT)


def _new_cards(under: Under) -> float:
    """What two cards from this shoe gain by hits and stands."""
    stand, hit = under.twos.stand[0], under.twos.hit[0]
    return sum(
        chance * max(float(stand[one, two]), float(hit[one, two]))
        for one, two, chance in _twos_from(under.table.shoe)
    )


def _without(under: Under, *columns: int, halves: Sequence[int] = ()) -> Under:
    """The same upcard with these cards seen and gone, and what splits of these columns come to."""
    upcard, gone = under.upcard, np.eye(VALUES)[list(columns)].sum(axis=0)
    contexts = Contexts(
        np.vstack([gone, *(gone + np.eye(VALUES)[column] for column in halves)]),
        np.array([-1, *halves], dtype=np.int64),
        np.zeros((VALUES, VALUES), dtype=np.int64),
    )
    shoe = under.table.shoe
    ready = prepare(upcard.hands, upcard.draws, contexts, shoe, upcard.pays)
    twos = play_contexts(upcard.hands, contexts, ready, _CHART, upcard.pays)
    table = under.table._replace(shoe=shoe - gone, of_zap=contexts.of_zap)
    return Under(upcard, table, twos)


def _twos_from(shoe: Floats) -> Iterator[tuple[int, int, float]]:
    """All that two cards can be, in either order, with their chances."""
    cards = float(shoe.sum())
    for one, two in combinations_with_replacement(range(VALUES), 2):
        left = float(shoe[two]) - (one == two)
        orders = 1.0 if one == two else 2.0
        yield one, two, orders * max(float(shoe[one]) * left, 0.0) / (cards * (cards - 1.0))

"""Gross win, volume, held rounds and latency by game, table and shift over a span of days.

Money by table comes from the daily totals, by booking day. Latency and shifts come from the hourly
figures of the monitor, by day of play.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.site.views import show
from casino.backoffice.today.business import Bar, Business, bars_of, business_of
from compliance.monitoring.latency import Latency, LatencyKey, latency_histograms
from compliance.monitoring.shift_totals import ShiftTotal, shift_totals
from payouts.gaming_days.daily_totals_report import DailyTotal, daily_totals
from payouts.settlement.queries import RoundStatus, rounds_with_status
from rounds.gaming_day import gaming_day
from rounds.models import Round
from rounds.row_mapping import milliseconds_of
from rounds.rules.catalogue import game_of

LOOK: Final = "payouts.view_dayclosing"
"""Permission to view the board, as the days."""

_SPANS: Final = (1, 7, 30)
"""Days of the spans to choose from."""
_MOST_DAYS: Final = 370
_MOST_DIGITS: Final = 3
_REFRESH_SECONDS: Final = 30

Histograms = Mapping[LatencyKey, Mapping[int, int]]


class HeldKey(NamedTuple):
    """Whose rounds are held."""

    table: str
    rules: str
    shift: str


Held = Mapping[HeldKey, int]


class Span(NamedTuple):
    """Gaming days, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """The number of days."""
        return (self.last - self.first).days + 1


class BoardRow(NamedTuple):
    """A part of the business, such as a table or all tables of a game."""

    name: str
    business: Business
    held: int
    latency: Latency


class RowGroup(NamedTuple):
    """A game with its tables, or a shift with its games."""

    all: BoardRow
    parts: list[BoardRow]


class Figure(NamedTuple):
    """Figures of one table and rule set, or of one shift and rule set."""

    group: str
    part: str
    total: DailyTotal | ShiftTotal | None = None
    held: int = 0
    latency: Mapping[int, int] = MappingProxyType({})


_ShownGroup = tuple[tuple[BoardRow, Bar, bool], ...]


def show_board(request: HttpRequest) -> HttpResponse:
    """The results of the span in the query string, by default of today; ``wall`` for a wall."""
    today = gaming_day(milliseconds_of(timezone.now()))
    span = _span_in(request, today)
    totals = list(daily_totals(first=span.first, last=span.last, database=DEFAULT_DB_ALIAS))
    held = _held_rounds(span)
    histograms = latency_histograms(span.first, span.last)
    shifts = list(shift_totals(span.first, span.last))
    is_wall = "wall" in request.GET
    context = {
        "title": _("Board"),
        "span": span,
        "spans": [(days, span == _latest(days, today)) for days in _SPANS],
        "ends_today": span.last == today,
        "games": _with_bars(_grouped(_by_table(totals, held, histograms))),
        "shifts": _with_bars(_shift_rows(shifts, held, histograms, are_summed=is_wall)),
        "totals": business_of(totals),
        "latency": Latency(histograms.values()),
        "held": sum(held.values()),
        "at": timezone.now(),
        "is_wall": is_wall,
        "refresh_seconds": _REFRESH_SECONDS * is_wall,
    }
    return show(request, "backoffice/board/board.html", context)


def _latest(days: int, today: date) -> Span:
    return Span(today - timedelta(days=days - 1), today)


def _span_in(request: HttpRequest, today: date) -> Span:
    """The latest ``days``, which move with the day, or the days ``from`` and ``to``.

    At most ``_MOST_DAYS``; an invalid or missing end is today.
    """
    days = request.GET.get("days", "")
    if days.isascii() and days.isdigit() and len(days) <= _MOST_DIGITS:
        return _latest(min(max(int(days), 1), _MOST_DAYS), today)
    last = _day_in(request, "to") or today
    first = min(_day_in(request, "from") or last, last)
    return Span(max(first, last - timedelta(days=min(_MOST_DAYS - 1, last.toordinal() - 1))), last)


def _day_in(request: HttpRequest, name: str) -> date | None:
    try:
        return date.fromisoformat(request.GET.get(name, ""))
    except ValueError:
        return None


def _held_rounds(span: Span) -> Held:
    """The rounds that are held now."""
    rounds = Round.objects.filter(booked_on__range=span)
    counted = (
        rounds_with_status(rounds, RoundStatus.HELD)
        .values_list("table__code", "rules", "shift")
        .annotate(rounds=Count("id"))
    )
    held: Counter[HeldKey] = Counter()
    for table, rules, shift, number in counted:
        held[HeldKey(table, rules, shift or "")] += number
    return held


def _by_table(totals: Iterable[DailyTotal], held: Held, histograms: Histograms) -> Iterator[Figure]:
    for total in totals:
        yield Figure(game_of(total.rules), total.table, total)
    for key, number in held.items():
        yield Figure(game_of(key.rules), key.table, held=number)
    for whose, histogram in histograms.items():
        yield Figure(game_of(whose.rules), whose.table, latency=histogram)


def _by_shift(totals: Iterable[ShiftTotal], held: Held, histograms: Histograms) -> Iterator[Figure]:
    unknown = _("not stated")
    for total in totals:
        yield Figure(total.shift or unknown, game_of(total.rules), total)
    for key, number in held.items():
        yield Figure(key.shift or unknown, game_of(key.rules), held=number)
    for whose, histogram in histograms.items():
        yield Figure(whose.shift or unknown, game_of(whose.rules), latency=histogram)


def _shift_rows(
    totals: list[ShiftTotal], held: Held, histograms: Histograms, *, are_summed: bool
) -> list[RowGroup]:
    """The shifts, with their games unless they are summed; none if the studio states none."""
    if not any(total.shift for total in totals):
        return []
    groups = _grouped(_by_shift(totals, held, histograms))
    return [group._replace(parts=[]) for group in groups] if are_summed else groups


def _grouped(figures: Iterable[Figure]) -> list[RowGroup]:
    """Groups and their parts by name."""
    ordered = sorted(figures, key=_names_of)
    groups = []
    for group, grouped in groupby(ordered, key=_GROUP):
        of_group = list(grouped)
        parts = [_row(part, list(found)) for part, found in groupby(of_group, key=_PART)]
        groups.append(RowGroup(_row(group, of_group), parts))
    return groups


_GROUP: Final[Callable[[Figure], str]] = attrgetter("group")
_PART: Final[Callable[[Figure], str]] = attrgetter("part")
_names_of: Final[Callable[[Figure], tuple[str, str]]] = attrgetter("group", "part")


def _row(name: str, figures: list[Figure]) -> BoardRow:
    return BoardRow(
        name,
        business_of(figure.total for figure in figures if figure.total is not None),
        sum(figure.held for figure in figures),
        Latency(figure.latency for figure in figures),
    )


def _with_bars(groups: list[RowGroup]) -> list[_ShownGroup]:
    """The rows of each group with bars on one scale, and whether they are its sum."""
    rows = [row for group in groups for row in (group.all, *group.parts)]
    bars = iter(bars_of([row.business.gross_win_cents for row in rows]))
    return [
        tuple((row, next(bars), row is group.all) for row in (group.all, *group.parts))
        for group in groups
    ]

"""Gross win, volume and held rounds by game and table over a span of days, from daily totals."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import chain, groupby
from operator import itemgetter
from typing import Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.gaming_days.figures import game_of
from casino.backoffice.site.views import show
from casino.backoffice.today.business import Bar, Business, bars_of, business_of
from payouts.gaming_days.daily_totals_report import DailyTotal, daily_totals
from payouts.settlement.queries import RoundStatus, rounds_with_status
from rounds.gaming_day import gaming_day
from rounds.models import Round
from rounds.row_mapping import milliseconds_of

LOOK: Final = "payouts.view_dayclosing"
"""Permission to view the board, as the days."""

_SPANS: Final = (1, 7, 30)
"""Days of the spans to choose from."""
_MOST_DAYS: Final = 370
_MOST_DIGITS: Final = 3
_REFRESH_SECONDS: Final = 30

Held = dict[tuple[str, str], int]


class Span(NamedTuple):
    """Gaming days, both included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """The number of days."""
        return (self.last - self.first).days + 1


class BoardRow(NamedTuple):
    """A table, or a game with all of its tables."""

    name: str
    business: Business
    held: int


class GameRows(NamedTuple):
    """A game with its tables."""

    game: BoardRow
    tables: list[BoardRow]


def show_board(request: HttpRequest) -> HttpResponse:
    """The results of the span in the query string, by default of today; ``wall`` for a wall."""
    today = gaming_day(milliseconds_of(timezone.now()))
    span = _span_in(request, today)
    totals = list(daily_totals(first=span.first, last=span.last, database=DEFAULT_DB_ALIAS))
    held = _held_rounds(span)
    is_wall = "wall" in request.GET
    context = {
        "title": _("Board"),
        "span": span,
        "spans": [(days, span == _latest(days, today)) for days in _SPANS],
        "ends_today": span.last == today,
        "games": _with_bars(_game_rows(totals, held)),
        "totals": business_of(totals),
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
    """The rounds that are held now, by table and rule set."""
    rounds = Round.objects.filter(booked_on__range=span)
    counted = (
        rounds_with_status(rounds, RoundStatus.HELD)
        .values_list("table__code", "rules")
        .annotate(rounds=Count("id"))
    )
    return {(table, rules): number for table, rules, number in counted}


def _game_rows(totals: Iterable[DailyTotal], held: Held) -> list[GameRows]:
    """Games and tables by name."""
    totals_of: defaultdict[tuple[str, str], list[DailyTotal]] = defaultdict(list)
    held_of: Counter[tuple[str, str]] = Counter()
    for total in totals:
        totals_of[game_of(total.rules), total.table].append(total)
    for (table, rules), number in held.items():
        held_of[game_of(rules), table] += number
    played = sorted(totals_of.keys() | held_of.keys())
    by_game = [
        (game, [table for _game, table in tables])
        for game, tables in groupby(played, key=itemgetter(0))
    ]
    return [
        GameRows(
            BoardRow(
                game,
                business_of(chain.from_iterable(totals_of[game, table] for table in tables)),
                sum(held_of[game, table] for table in tables),
            ),
            [
                BoardRow(table, business_of(totals_of[game, table]), held_of[game, table])
                for table in tables
            ],
        )
        for game, tables in by_game
    ]


def _with_bars(games: list[GameRows]) -> list[tuple[tuple[BoardRow, Bar, bool], ...]]:
    """The rows of each game with bars on one scale, and whether they are games."""
    rows = [row for game in games for row in (game.game, *game.tables)]
    bars = iter(bars_of([row.business.gross_win_cents for row in rows]))
    return [
        tuple((row, next(bars), row is game.game) for row in (game.game, *game.tables))
        for game in games
    ]

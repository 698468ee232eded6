"""All watches at once: a board for each rule set, tables down and bets across."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby
from math import erf, log, sqrt
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.monitoring.charts import place_of_evidence, place_of_z
from compliance.monitoring.models import What
from compliance.monitoring.queries import WatchNow, watches_now
from compliance.monitoring.services.watch_tables import RATE
from compliance.monitoring.windows import LENGTHS, SINCE_START, Window, last_days
from compliance.replica import report_database
from payouts.pages.own_pages import show
from rounds.rules.catalogue import RULE_SETS
from rounds.wording import kind_words

ENOUGH: Final = round(1 / RATE)
"""Evidence that gives alarm for one watch alone."""

_OFF: Final = 2.0
_FAR: Final = 3.0
_SINCE_START: Final = "start"
WHAT_WORDS: Final[dict[str, str | Promise]] = {
    What.CARDS: gettext_lazy("Cards"),
    What.LEVELS: gettext_lazy("Levels"),
    What.VOIDS: gettext_lazy("Voids"),
}


class Cell(NamedTuple):
    """A watch on the board."""

    watch: WatchNow
    tone: str
    """``alarm``; ``far`` and ``off`` beyond three and two standard errors; else ``calm``."""
    place: float | None
    """Of its mark on a track of 100; None where there is nothing to compare with."""


class Line(NamedTuple):
    """A table, or all tables of the rule set together (``table`` is None)."""

    table: str | None
    cells: tuple[Cell | None, ...]
    """Beside the board's columns."""


class Board(NamedTuple):
    """The watches of a rule set."""

    rules: str
    game: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]


class Beyond(NamedTuple):
    """How many exact returns lie beyond so many standard errors, and how many do by chance."""

    errors: int
    seen: int
    expected: float


def show_monitor(request: HttpRequest) -> HttpResponse:
    """The boards of a window, and what is in alarm."""
    database = report_database()
    asked = request.GET.get("window", _SINCE_START)
    watches = watches_now(database=database)
    if watches and asked != _SINCE_START:
        watches = watches_now(window_of(asked, until=watches[0].last_day), database=database)
    context = {
        "title": _("Monitor"),
        "windows": window_choices(asked),
        "watches": watches,
        "alarms": [(one, column_words(one.what, one.kind)) for one in watches if one.in_alarm],
        "boards": list(boards_of(watches)),
        "tables": len({one.table for one in watches if one.table}),
        "rounds": _rounds(watches),
        "beyond": [beyond(watches, errors) for errors in (2, 3)],
        "enough": ENOUGH,
    }
    return show(request, "pages/monitor/overview.html", context)


def window_of(asked: str, *, until: date) -> Window:
    """The window that an address names; since the start for any other name."""
    if asked in map(str, LENGTHS):
        return last_days(int(asked), until=until)
    return SINCE_START


def window_choices(asked: str) -> list[tuple[str, str, bool]]:
    """Each window as (name, words, whether it is the one asked for)."""
    found = [(str(days), _("%(number)s days") % {"number": days}) for days in LENGTHS]
    known = asked in map(str, LENGTHS)
    return [
        *((name, words, name == asked) for name, words in found),
        (_SINCE_START, _("since the start"), not known),
    ]


def boards_of(watches: Sequence[WatchNow]) -> Iterable[Board]:
    """By rule set, in the order of the catalogue; bets in the order of the sheet."""
    order = list(RULE_SETS)
    ordered = sorted(watches, key=lambda one: (order.index(one.rules), one.table or ""))
    for rules, found in groupby(ordered, key=lambda one: one.rules):
        ours = list(found)
        columns = [
            *((What.RETURN, kind) for kind in RULE_SETS[rules].bet_kinds),
            *((what, "") for what in WHAT_WORDS),
        ]
        seen = {(one.what, one.kind) for one in ours}
        kept = [column for column in columns if column in seen]
        yield Board(
            rules,
            ours[0].game,
            tuple(column_words(what, kind) for what, kind in kept),
            tuple(_lines(ours, kept)),
        )


def column_words(what: str, kind: str) -> str:
    """A bet kind, or what else is watched."""
    return kind_words(kind) if what == What.RETURN else str(WHAT_WORDS[what])


def cell_of(watch: WatchNow) -> Cell:
    """A watch with its tone and its place."""
    z = watch.figures.z if watch.figures else None
    if watch.figures is None:
        place = place_of_evidence(watch.log_evidence, enough=log(ENOUGH))
    else:
        place = place_of_z(z)
    return Cell(watch, _tone(watch, z), place)


def beyond(watches: Iterable[WatchNow], errors: int) -> Beyond:
    """Of all returns that are held to an exact certificate, all tables together left out."""
    held = [
        one.figures.z for one in watches if one.table and one.figures and one.figures.z is not None
    ]
    by_chance = 1 - erf(errors / sqrt(2))
    return Beyond(errors, sum(abs(z) > errors for z in held), len(held) * by_chance)


def _tone(watch: WatchNow, z: float | None) -> str:
    if watch.in_alarm:
        return "alarm"
    if z is None or abs(z) < _OFF:
        return "calm"
    return "far" if abs(z) >= _FAR else "off"


def _lines(watches: Sequence[WatchNow], columns: Sequence[tuple[str, str]]) -> Iterable[Line]:
    for table, found in groupby(watches, key=lambda one: one.table):
        cells = {(one.what, one.kind): cell_of(one) for one in found}
        yield Line(table, tuple(cells.get(column) for column in columns))


def _rounds(watches: Iterable[WatchNow]) -> int:
    """Of which cards were watched, table by table: a rule set with one table has no other sum."""
    return sum(one.rounds for one in watches if one.table and one.what == What.CARDS)

"""All watches: a board per rule set, with tables as rows and bets as columns."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby
from math import erf, log, sqrt
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.site.views import show
from compliance.monitoring.models import What
from compliance.monitoring.queries import WatchNow, watches_now
from compliance.monitoring.services.watch_tables import RATE
from compliance.monitoring.statistics.charts import place_of_evidence, place_of_z
from compliance.monitoring.windows import LENGTHS, SINCE_START, Window, last_days
from compliance.storage.replica import report_database
from rounds.formatting import bet_kind_label
from rounds.rules.catalogue import RULE_SETS

ENOUGH: Final = round(1 / RATE)
"""Evidence that triggers the alarm of a single watch."""

_OFF: Final = 2.0
_FAR: Final = 3.0
_SINCE_START: Final = "start"
WATCH_LABELS: Final[dict[str, str | Promise]] = {
    What.CARDS: gettext_lazy("Cards"),
    What.LEVELS: gettext_lazy("Levels"),
    What.VOIDS: gettext_lazy("Voids"),
}


class Cell(NamedTuple):
    """A watch on a board."""

    watch: WatchNow
    tone: str
    """``alarm``; ``far`` and ``off`` beyond three and two standard errors; else ``calm``."""
    place: float | None
    """Position of the mark, 0 to 100; None without a reference value."""


class BoardRow(NamedTuple):
    """A table; ``table`` is None for all tables together."""

    table: str | None
    cells: tuple[Cell | None, ...]
    """In the order of the columns."""


class Board(NamedTuple):
    """The watches of a rule set."""

    rules: str
    game: str
    columns: tuple[str, ...]
    lines: tuple[BoardRow, ...]


class Beyond(NamedTuple):
    """Number of returns beyond ``errors`` standard errors, and the number expected by chance."""

    errors: int
    seen: int
    expected: float


def show_monitor(request: HttpRequest) -> HttpResponse:
    """The boards of a period, and the alarms."""
    database = report_database()
    window = request.GET.get("window", _SINCE_START)
    watches = watches_now(database=database)
    if watches and window != _SINCE_START:
        watches = watches_now(window_of(window, until=watches[0].last_day), database=database)
    context = {
        "title": _("Monitoring"),
        "windows": window_choices(window),
        "watches": watches,
        "alarms": [
            (watch, column_label(watch.what, watch.kind)) for watch in watches if watch.in_alarm
        ],
        "boards": list(boards_of(watches)),
        "tables": len({watch.table for watch in watches if watch.table}),
        "rounds": _rounds(watches),
        "beyond": [beyond(watches, errors) for errors in (2, 3)],
        "enough": ENOUGH,
    }
    return show(request, "backoffice/monitoring/overview.html", context)


def window_of(name: str, *, until: date) -> Window:
    """The period in the query string; since the start if unknown."""
    if name in map(str, LENGTHS):
        return last_days(int(name), until=until)
    return SINCE_START


def window_choices(chosen: str) -> list[tuple[str, str, bool]]:
    """Each period as (name, label, whether it is selected)."""
    choices = [(str(days), _("%(number)s days") % {"number": days}) for days in LENGTHS]
    is_length = chosen in map(str, LENGTHS)
    return [
        *((name, label, name == chosen) for name, label in choices),
        (_SINCE_START, _("since the start"), not is_length),
    ]


def boards_of(watches: Sequence[WatchNow]) -> Iterable[Board]:
    """Boards in the order of the catalogue, bets in the order of the sheet."""
    order = list(RULE_SETS)
    ordered = sorted(watches, key=lambda watch: (order.index(watch.rules), watch.table or ""))
    for rules, group in groupby(ordered, key=lambda watch: watch.rules):
        group_watches = list(group)
        columns = [
            *((What.RETURN, kind) for kind in RULE_SETS[rules].bet_kinds),
            *((what, "") for what in WATCH_LABELS),
        ]
        watched = {(watch.what, watch.kind) for watch in group_watches}
        shown_columns = [column for column in columns if column in watched]
        yield Board(
            rules,
            group_watches[0].game,
            tuple(column_label(what, kind) for what, kind in shown_columns),
            tuple(_lines(group_watches, shown_columns)),
        )


def column_label(what: str, kind: str) -> str:
    """A bet kind, or another watched quantity."""
    return bet_kind_label(kind) if what == What.RETURN else str(WATCH_LABELS[what])


def cell_of(watch: WatchNow) -> Cell:
    """A watch with its tone and position."""
    z = watch.figures.z if watch.figures else None
    if watch.figures is None:
        place = place_of_evidence(watch.log_evidence, enough=log(ENOUGH))
    else:
        place = place_of_z(z)
    return Cell(watch, _tone(watch, z), place)


def beyond(watches: Iterable[WatchNow], errors: int) -> Beyond:
    """Counts returns with an exact certificate; all tables together are excluded."""
    held = [
        watch.figures.z
        for watch in watches
        if watch.table and watch.figures and watch.figures.z is not None
    ]
    by_chance = 1 - erf(errors / sqrt(2))
    return Beyond(errors, sum(abs(z) > errors for z in held), len(held) * by_chance)


def _tone(watch: WatchNow, z: float | None) -> str:
    if watch.in_alarm:
        return "alarm"
    if z is None or abs(z) < _OFF:
        return "calm"
    return "far" if abs(z) >= _FAR else "off"


def _lines(watches: Sequence[WatchNow], columns: Sequence[tuple[str, str]]) -> Iterable[BoardRow]:
    for table, group in groupby(watches, key=lambda watch: watch.table):
        cells = {(watch.what, watch.kind): cell_of(watch) for watch in group}
        yield BoardRow(table, tuple(cells.get(column) for column in columns))


def _rounds(watches: Iterable[WatchNow]) -> int:
    """Rounds of all tables. Every table has a card watch, so each round counts once."""
    return sum(watch.rounds for watch in watches if watch.table and watch.what == What.CARDS)

"""The returns of a table against chance: figures and chart of its watches."""

from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from casino.backoffice.monitoring.overview import ENOUGH, column_label
from casino.backoffice.monitoring.watch_page import MOST_DAYS, chart_of
from compliance.monitoring.models import WatchLook
from compliance.monitoring.queries import history_of, looks_at_table
from compliance.monitoring.statistics.charts import place_of_z
from compliance.storage.replica import report_database
from rounds.models import Table


class WatchRow(NamedTuple):
    """A watch at the last look."""

    look: WatchLook
    label: str
    place: float | None
    """The place of the deviation of a bet on the scale, 0 to 100."""
    is_charted: bool


def table_returns(table: Table, chosen: str) -> dict[str, Any]:
    """The watches, and the chart of the chosen bet: by default of the one that deviates most."""
    database = report_database()
    looks = [
        look
        for look in looks_at_table(table.pk, database=database)
        if look.watch.rules == table.rules
    ]
    if not looks:
        return {"watch_rows": []}
    charted = _charted(looks, chosen)
    history = [] if charted is None else history_of(charted.watch_id, database=database)
    certified = None if charted is None else charted.certified
    history = history[-MOST_DAYS:]
    return {
        "watch_rows": [_row(look, is_charted=look is charted) for look in looks],
        "last_day": looks[0].look.last_day,
        "enough": ENOUGH,
        "chart": chart_of(certified, history),
        "chart_title": charted and _title(charted),
        "certified": certified,
        "is_exact": charted is not None and charted.variance is not None,
        "in_alarm": charted is not None and charted.in_alarm,
        "first_day": history[0].day if history else None,
    }


def _charted(looks: list[WatchLook], chosen: str) -> WatchLook | None:
    """Only a bet with a certified return has a chart."""
    bets = [look for look in looks if look.certified is not None]
    named = [look for look in bets if str(look.watch_id) == chosen]
    by_deviation = sorted(bets, key=lambda look: (look.in_alarm, abs(look.z or 0)), reverse=True)
    return next(iter([*named, *by_deviation]), None)


def _title(look: WatchLook) -> str:
    label = column_label(look.watch.what, look.watch.kind)
    return _("%(bet)s: return since the start") % {"bet": label}


def _row(look: WatchLook, *, is_charted: bool) -> WatchRow:
    label = column_label(look.watch.what, look.watch.kind)
    return WatchRow(look, label, place_of_z(look.z), is_charted)

"""The page of a watch: control chart, evidence, and figures by period."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.backoffice.monitoring.overview import ENOUGH, column_label
from casino.backoffice.site.views import show
from casino.backoffice.templatetags.sabot_monitoring import evidence, share
from compliance.monitoring.models import Watch
from compliance.monitoring.queries import Figures, WatchDay, WatchNow, history_of, watches_now
from compliance.monitoring.statistics.charts import (
    ControlChart,
    Day,
    EvidenceChart,
    control_chart,
    evidence_chart,
)
from compliance.monitoring.windows import LENGTHS, last_days
from compliance.storage.replica import report_database
from rounds.formatting import count, short_day

MOST_DAYS: Final = 370
"""The chart covers a year; earlier days are in its first point."""


class InWindow(NamedTuple):
    """The figures of a bet in a period."""

    label: str
    figures: Figures


def show_watch(request: HttpRequest, pk: int) -> HttpResponse:
    """The page of a watch."""
    database = report_database()
    now = next((watch for watch in watches_now(database=database) if watch.watch_id == pk), None)
    if now is None or not Watch.objects.using(database).filter(pk=pk).exists():
        raise Http404
    history = history_of(pk, database=database)[-MOST_DAYS:]
    whose = now.table or _("all tables")
    context: dict[str, Any] = {
        "title": f"{column_label(now.what, now.kind)} · {whose}",
        "parent": {"title": _("Monitoring"), "address": reverse("monitor")},
        "watch": now,
        "chart": chart_of(now.figures and now.figures.certified, history),
        "certified": now.figures and now.figures.certified,
        "is_exact": now.figures is not None and now.figures.is_exact,
        "in_alarm": now.in_alarm,
        "last_day": now.last_day,
        "evidence_chart": evidence_of(history),
        "first_day": history[0].day if history else None,
        "windows": _windows(now, database),
        "enough": ENOUGH,
    }
    return show(request, "backoffice/monitoring/watch.html", context)


def chart_of(certified: float | None, history: Sequence[WatchDay]) -> ControlChart | None:
    """The control chart of a bet; None without a reference value."""
    if certified is None:
        return None
    days = [
        Day(
            day_label(day),
            None if day.of_day is None else day.of_day.returned,
            day.until_day.returned,
            error_of(day.until_day),
        )
        for day in history
        if day.until_day is not None and day.until_day.returned is not None
    ]
    return control_chart(days, target=certified) if days else None


def evidence_of(history: Sequence[WatchDay]) -> EvidenceChart | None:
    """The evidence chart; None without a certified value."""
    logs = [day.log_evidence for day in history if day.log_evidence is not None]
    return evidence_chart(logs, alarm=ENOUGH) if logs else None


def error_of(figures: Figures) -> float:
    """The certified standard error; for main bets, the observed one."""
    if figures.limits_2 is not None and figures.certified is not None:
        return (figures.limits_2[1] - figures.certified) / 2
    return figures.standard_error or 0.0


def day_label(day: WatchDay) -> str:
    """The tooltip of a day."""
    parts = [short_day(day.day)]
    if day.of_day is not None:
        parts.append(
            _("%(share)s of %(rounds)s rounds")
            % {"share": share(day.of_day.returned), "rounds": count(day.of_day.sums.rounds)}
        )
    if day.until_day is not None:
        parts.append(
            _("%(share)s of %(rounds)s rounds to date")
            % {"share": share(day.until_day.returned), "rounds": count(day.until_day.sums.rounds)}
        )
    if day.log_evidence is not None:
        parts.append(_("evidence %(evidence)s") % {"evidence": evidence(day.log_evidence)})
    return " · ".join(parts)


def _windows(now: WatchNow, database: str) -> list[InWindow]:
    """Watches that are not bets have no returns."""
    if now.figures is None:
        return []
    rolling = [
        (_("%(number)s days") % {"number": days}, last_days(days, until=now.last_day))
        for days in LENGTHS
    ]
    figures = [
        InWindow(label, watch.figures)
        for label, window in rolling
        for watch in watches_now(window, database=database)
        if watch.watch_id == now.watch_id and watch.figures is not None
    ]
    return [*figures, InWindow(_("since the start"), now.figures)]

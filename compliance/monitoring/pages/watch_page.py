"""The page of a watch: its control chart, its evidence, its figures over the windows."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _

from compliance.monitoring.charts import (
    ControlChart,
    Day,
    EvidenceChart,
    control_chart,
    evidence_chart,
)
from compliance.monitoring.models import Watch
from compliance.monitoring.pages.overview import ENOUGH, column_words
from compliance.monitoring.queries import Figures, WatchDay, WatchNow, history_of, watches_now
from compliance.monitoring.templatetags.sabot_monitoring import evidence, share
from compliance.monitoring.windows import LENGTHS, last_days
from compliance.replica import report_database
from payouts.pages.own_pages import show
from rounds.wording import count

_MOST_DAYS: Final = 370
"""A picture of a year; what came before is in its first point."""


class InWindow(NamedTuple):
    """What the bets came to in a window."""

    words: str
    figures: Figures


def show_watch(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything about a watch."""
    database = report_database()
    now = next((one for one in watches_now(database=database) if one.watch_id == pk), None)
    if now is None or not Watch.objects.using(database).filter(pk=pk).exists():
        raise Http404
    history = history_of(pk, database=database)[-_MOST_DAYS:]
    whose = now.table or _("all tables")
    context: dict[str, Any] = {
        "title": f"{column_words(now.what, now.kind)} · {whose}",
        "parent": {"title": _("Monitor"), "address": reverse("monitor")},
        "watch": now,
        "chart": chart_of(now, history),
        "evidence_chart": evidence_of(history),
        "first_day": history[0].day if history else None,
        "windows": _windows(now, database),
        "enough": ENOUGH,
    }
    return show(request, "pages/monitor/watch.html", context)


def chart_of(watch: WatchNow, history: Sequence[WatchDay]) -> ControlChart | None:
    """The control chart; None of what is no bet, or has nothing to be compared with."""
    if watch.figures is None or watch.figures.certified is None:
        return None
    days = [
        Day(
            day_words(one),
            None if one.of_day is None else one.of_day.returned,
            one.until_day.returned,
            error_of(one.until_day),
        )
        for one in history
        if one.until_day is not None and one.until_day.returned is not None
    ]
    return control_chart(days, target=watch.figures.certified) if days else None


def evidence_of(history: Sequence[WatchDay]) -> EvidenceChart | None:
    """The chart of evidence; None where nothing certified is held against the rounds."""
    logs = [one.log_evidence for one in history if one.log_evidence is not None]
    return evidence_chart(logs, alarm=ENOUGH) if logs else None


def error_of(figures: Figures) -> float:
    """The certified standard error, or of main bets that by which the rounds differ."""
    if figures.limits_2 is not None and figures.certified is not None:
        return (figures.limits_2[1] - figures.certified) / 2
    return figures.standard_error or 0.0


def day_words(one: WatchDay) -> str:
    """What is said of a day when a mouse rests on it."""
    told = [_day(one.day)]
    if one.of_day is not None:
        told.append(
            _("%(share)s of %(rounds)s rounds")
            % {"share": share(one.of_day.returned), "rounds": count(one.of_day.sums.rounds)}
        )
    if one.until_day is not None:
        told.append(
            _("until then %(share)s of %(rounds)s rounds")
            % {"share": share(one.until_day.returned), "rounds": count(one.until_day.sums.rounds)}
        )
    if one.log_evidence is not None:
        told.append(_("evidence %(evidence)s") % {"evidence": evidence(one.log_evidence)})
    return " · ".join(told)


def _windows(now: WatchNow, database: str) -> list[InWindow]:
    """What is no bet has no returns to be told."""
    if now.figures is None:
        return []
    rolling = [
        (_("%(number)s days") % {"number": days}, last_days(days, until=now.last_day))
        for days in LENGTHS
    ]
    found = [
        InWindow(words, one.figures)
        for words, window in rolling
        for one in watches_now(window, database=database)
        if one.watch_id == now.watch_id and one.figures is not None
    ]
    return [*found, InWindow(_("since the start"), now.figures)]


def _day(day: date) -> str:
    return formats.date_format(day, "j M Y")

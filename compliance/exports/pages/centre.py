"""The export centre: the chain of manifests, the days with their bundles, extracts and reports."""

from collections.abc import Iterable, Sequence
from datetime import date
from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.exports.bundle.signing import certificate_path
from compliance.exports.chain import Standing, first_break, standings
from compliance.exports.models import Bundle, ExportRun
from compliance.exports.pages.words import ASK, days_words
from compliance.exports.reports import REPORTS
from compliance.exports.standing import Stage
from payouts.pages.days import Line, lines_of
from payouts.pages.days_listed import days_listed
from payouts.pages.jobs import Job
from payouts.pages.own_pages import show
from payouts.pages.paging import page_of
from rounds.gaming_day import gaming_day
from rounds.storage import milliseconds_of

_CHAIN: Final = 4
_EXTRACTS: Final = 8
_MOST_RUNS: Final = 5
_REFRESH_SECONDS: Final = 3


class Way(IntEnum):
    """How far a day has come, on its way to the regulator."""

    OPEN = 0
    CLOSED = 1
    BUILT = 2
    APPROVED = 3
    SENT = 4
    RECEIVED = 5


_REACHED: Final = {
    Stage.BUILT: Way.BUILT,
    Stage.SIGNED: Way.BUILT,
    Stage.APPROVED: Way.APPROVED,
    Stage.SENT: Way.SENT,
    Stage.REFUSED: Way.APPROVED,
    Stage.RECEIVED: Way.RECEIVED,
    Stage.SET_ASIDE: Way.CLOSED,
}


class DayLine(NamedTuple):
    """A gaming day, its latest bundle, and how far it has come."""

    line: Line
    standing: Standing | None

    @property
    def state(self) -> str:
        """The name of its pill: the bundle's once the day is closed."""
        if self.standing is not None:
            return self.standing.state
        return "bundle-none" if self.line.closing else self.line.state

    @property
    def way(self) -> list[str]:
        """For each of the six stations ``done``, ``now`` or nothing."""
        reached = Way.OPEN if self.line.closing is None else Way.CLOSED
        if self.standing is not None and self.line.closing is not None:
            reached = _REACHED[self.standing.stage]
        if reached is Way.RECEIVED:
            return ["done"] * len(Way)
        return ["done" if one < reached else "now" if one == reached else "" for one in Way]


def show_centre(request: HttpRequest) -> HttpResponse:
    """Everything about exports on one page."""
    today = gaming_day(milliseconds_of(timezone.now()))
    page = days_listed(
        today, before=request.GET.get("before", ""), after=request.GET.get("after", "")
    )
    runs = list(ExportRun.objects.filter(finished_at=None).order_by("pk")[:_MOST_RUNS])
    last = Bundle.objects.order_by("-number").first()
    context = {
        "title": _("AAMS exports"),
        "page": page,
        "rows": _day_lines(page.rows),
        "chain": standings(Bundle.objects.order_by("-number")[:_CHAIN])[::-1],
        "last": last,
        "broken_at": None if last is None else first_break(),
        "now": timezone.now(),
        "runs": runs,
        "extracts": standings(_extracts()),
        "reports": REPORTS,
        "may_ask": request.user.has_perm(ASK),
        "has_certificate": _certificate().exists(),
        "refresh_seconds": _REFRESH_SECONDS * bool(runs),
    }
    return show(request, "pages/exports/centre.html", context)


def show_bundles(request: HttpRequest) -> HttpResponse:
    """Every bundle, newest first."""
    page = page_of(
        Bundle.objects.all(),
        before=request.GET.get("before"),
        after=request.GET.get("after"),
    )
    context = {
        "title": _("Bundles"),
        "parent": {"title": _("AAMS exports"), "address": reverse("exports")},
        "page": page,
        "rows": standings(page.rows),
    }
    return show(request, "pages/exports/bundles.html", context)


def certificate(_request: HttpRequest) -> HttpResponse:
    """The certificate that verifies bundles, for everybody who may see them."""
    path = _certificate()
    if not path.exists():
        raise Http404
    answer = HttpResponse(path.read_bytes(), content_type="application/x-pem-file")
    answer["Content-Disposition"] = 'attachment; filename="operator.crt"'
    return answer


def exports_under_way() -> Iterable[Job]:
    """Exports that are being made, for the card of jobs."""
    for run in ExportRun.objects.filter(finished_at=None).order_by("pk")[:_MOST_RUNS]:
        yield Job(
            _("Export of %(days)s") % {"days": days_words(run.scope)},
            _("asked for by %(who)s") % {"who": run.actor},
            reverse("export_run", args=[run.pk]),
            run.percent,
        )


def _certificate() -> Path:
    return certificate_path(Path(settings.EXPORT_KEY))


def _day_lines(days: Sequence[date]) -> list[DayLine]:
    rows = Bundle.objects.filter(
        day__in=days,
        first_day=None,
        contents=Bundle.Contents.REGISTERS,
        game="",
        table="",
        rules="",
        customer="",
    )
    latest = {one.bundle.day: one for one in standings(rows.order_by("number"))}
    return [DayLine(line, latest.get(line.day)) for line in lines_of(days, at=timezone.now())]


def _extracts() -> list[Bundle]:
    """The latest bundles that are not of a whole day."""
    whole = Bundle.objects.filter(
        first_day=None,
        contents=Bundle.Contents.REGISTERS,
        table="",
        rules="",
        customer="",
    )
    others = Bundle.objects.exclude(number__in=whole.values("number"))
    return list(others.order_by("-number")[:_EXTRACTS])

"""The export centre: chain of manifests, gaming days, extracts and reports."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from enum import IntEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.exports.messages import ASK, bundle_label, days_label
from casino.backoffice.gaming_days.day_columns import DAYS
from casino.backoffice.gaming_days.days import DayRow, file_of_days, lines_of, page_of_days
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, day_filters, field_filter, person_filter
from casino.backoffice.lists.list_page import Listing, ListSpec, show_list
from casino.backoffice.site.actor_labels import actor_label
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.downloads import attachment
from casino.backoffice.site.views import show
from compliance.exports.bundle.signing import certificate_path
from compliance.exports.bundle_chain import BundleStatus, bundle_statuses, first_break
from compliance.exports.bundle_status import Stage, at_stage
from compliance.exports.models import Bundle, ExportRun
from compliance.exports.reports import REPORTS

_CHAIN: Final = 4
_EXTRACTS: Final = 8
_MOST_RUNS: Final = 5
_REFRESH_SECONDS: Final = 3


class Progress(IntEnum):
    """The progress of a gaming day towards the regulator."""

    OPEN = 0
    CLOSED = 1
    BUILT = 2
    APPROVED = 3
    SENT = 4
    RECEIVED = 5


_REACHED: Final = {
    Stage.BUILT: Progress.BUILT,
    Stage.SIGNED: Progress.BUILT,
    Stage.APPROVED: Progress.APPROVED,
    Stage.SENT: Progress.SENT,
    Stage.REFUSED: Progress.APPROVED,
    Stage.RECEIVED: Progress.RECEIVED,
    Stage.SET_ASIDE: Progress.CLOSED,
}


def _of_day(column: Column) -> Callable[[Any], object]:
    """The value of a column of the list of days."""
    return lambda row: column.value(row.line)


class ExportDay(NamedTuple):
    """A gaming day with its latest bundle and its progress."""

    line: DayRow
    status: BundleStatus | None

    @property
    def state(self) -> str:
        """The badge: the state of the bundle once the day is closed."""
        if self.status is not None:
            return self.status.state
        return "bundle-none" if self.line.closing else self.line.state

    @property
    def progress(self) -> list[str]:
        """For each of the six stages ``done``, ``now`` or empty."""
        reached = Progress.OPEN if self.line.closing is None else Progress.CLOSED
        if self.status is not None and self.line.closing is not None:
            reached = _REACHED[self.status.stage]
        if reached is Progress.RECEIVED:
            return ["done"] * len(Progress)
        return [
            "done" if stage < reached else "now" if stage == reached else "" for stage in Progress
        ]


_FIGURES: Final = {
    "settled": gettext_lazy("Rounds settled"),
    "staked": gettext_lazy("Staked"),
    "open": gettext_lazy("Open stakes"),
    "paid": gettext_lazy("Paid"),
    "corrections": gettext_lazy("Corr."),
}
"""The columns of the list of days that it has, with their headings here."""

DAYS_EXPORTED: Final = ListSpec(
    name="export-days",
    filters=DAYS.filters,
    columns=(
        Column("day", gettext_lazy("Day"), lambda row: row.line.day, Kind.DAY),
        Column("status", gettext_lazy("Status"), lambda row: badge_label(row.state)),
        Column(
            "progress",
            gettext_lazy("Progress"),
            lambda row: f"{row.progress.count('done')}/{len(Progress)}",
        ),
        *(
            replace(column, value=_of_day(column), label=label, is_optional=True)
            for column in DAYS.columns
            if (label := _FIGURES.get(column.name))
        ),
        Column("bundle", gettext_lazy("Bundle"), lambda row: row.status and row.status.bundle),
    ),
)


def show_centre(request: HttpRequest) -> HttpResponse:
    """The overview of exports."""
    now, listing = timezone.now(), Listing(DAYS_EXPORTED, request)
    if file := file_of_days(listing, _day_lines, at=now):
        return file
    page = page_of_days(listing, at=now)
    runs = list(ExportRun.objects.filter(finished_at=None).order_by("pk")[:_MOST_RUNS])
    last = Bundle.objects.order_by("-number").first()
    context = {
        **listing.context(_day_lines(page.rows)),
        "title": _("ADM (formerly AAMS) exports"),
        "page": page,
        "chain": bundle_statuses(Bundle.objects.order_by("-number")[:_CHAIN])[::-1],
        "last": last,
        "broken_at": None if last is None else first_break(),
        "now": now,
        "runs": runs,
        "extracts": bundle_statuses(_extracts()),
        "reports": REPORTS,
        "may_ask": request.user.has_perm(ASK),
        "has_certificate": _certificate().exists(),
        "refresh_seconds": _REFRESH_SECONDS * bool(runs),
    }
    return show(request, "backoffice/exports/overview.html", context)


BUNDLES: Final = ListSpec(
    name="bundles",
    live="bundle",
    filters=(
        choice_filter(
            "stage",
            gettext_lazy("Status"),
            lambda: [(stage.value, badge_label(f"bundle-{stage}")) for stage in Stage],
            lambda rows, value: at_stage(rows, Stage(value)),
        ),
        field_filter("contents", gettext_lazy("Contents"), Bundle.Contents.choices),
        person_filter(gettext_lazy("Built by")),
        *day_filters("day"),
    ),
    columns=(
        Column("bundle", gettext_lazy("Bundle"), lambda line: line.bundle, sort="pk"),
        Column("status", gettext_lazy("Status"), lambda line: badge_label(line.state)),
        Column("days", gettext_lazy("Days"), lambda line: days_label(line.bundle.scope)),
        Column("contents", gettext_lazy("Contents"), lambda line: bundle_label(line.bundle)),
        Column("size", gettext_lazy("Size"), lambda line: line.bundle.size, Kind.COUNT, "size"),
        Column(
            "built", gettext_lazy("Built"), lambda line: line.bundle.built_at, Kind.MOMENT, "pk"
        ),
        Column(
            "person",
            gettext_lazy("Who"),
            lambda line: actor_label(line.bundle.actor),
            sort="actor",
            is_optional=True,
        ),
        Column(
            "digest",
            gettext_lazy("Digest"),
            lambda line: bytes(line.bundle.manifest_digest).hex(),
            is_optional=True,
        ),
    ),
    sort="-built",
)


def show_bundles(request: HttpRequest) -> HttpResponse:
    """All bundles, newest first."""
    context = {
        "title": _("Bundles"),
        "parent": {"title": _("ADM (formerly AAMS) exports"), "address": reverse("exports")},
    }
    template = "backoffice/exports/bundles.html"
    rows = Bundle.objects.all()
    return show_list(request, BUNDLES, rows, template, context, lines_of=bundle_statuses)


def certificate(_request: HttpRequest) -> HttpResponse:
    """Download of the certificate that verifies bundles."""
    path = _certificate()
    if not path.exists():
        raise Http404
    return attachment(path.read_bytes(), name="operator.crt", content_type="application/x-pem-file")


def _certificate() -> Path:
    return certificate_path(Path(settings.EXPORT_KEY))


def _day_lines(days: Sequence[date]) -> list[ExportDay]:
    rows = Bundle.objects.filter(
        day__in=days,
        first_day=None,
        contents=Bundle.Contents.REGISTERS,
        game="",
        table="",
        rules="",
        customer="",
    )
    latest = {status.bundle.day: status for status in bundle_statuses(rows.order_by("number"))}
    return [ExportDay(line, latest.get(line.day)) for line in lines_of(days, at=timezone.now())]


def _extracts() -> list[Bundle]:
    """The latest bundles that do not cover a whole day."""
    whole = Bundle.objects.filter(
        first_day=None, contents=Bundle.Contents.REGISTERS, table="", rules="", customer=""
    )
    others = Bundle.objects.exclude(number__in=whole.values("number"))
    return list(others.order_by("-number")[:_EXTRACTS])

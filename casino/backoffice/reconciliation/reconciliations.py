"""Reconciliations: progress, differences, and starting one."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.contrib import admin, messages
from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, person_filter, time_filters
from casino.backoffice.lists.list_page import ListSpec
from casino.backoffice.site.actions import warn_broker_unavailable
from casino.backoffice.site.actor_labels import actor_label
from casino.backoffice.site.badges import badge_label
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.keyset_paging import page_of
from casino.backoffice.site.read_only_admin import ReadOnlyAdmin
from payouts.reconciliation.checks.messages import found_of, needed_of, place_of, title_of
from payouts.reconciliation.models import ReconcileDifference, ReconcilePart, ReconcileRun
from payouts.reconciliation.reconcile import EVERYTHING, begin_reconciliation, figures_of
from payouts.tasks import wake_reconciliation_workers
from rounds.formatting import moment

RECONCILE: Final = "payouts.reconcile"
"""Permission to start a reconciliation."""

_REFRESH_SECONDS: Final = 2
_RUNS_OF_EVERYTHING: Final = ReconcileRun.objects.filter(first_day=None, last_day=None, round=None)


class Progress(NamedTuple):
    """Completed parts, total parts, and differences to date."""

    done: int
    parts: int
    differences: int

    @property
    def percent(self) -> int:
        """Whole percent; 100 only when complete."""
        return self.done * 100 // self.parts if self.parts else 100


class RunRow(NamedTuple):
    """A run in the list."""

    run: ReconcileRun
    progress: Progress

    @property
    def state(self) -> str:
        """The name of its badge."""
        if self.progress.differences:
            return "reconcile-differs"
        return "reconcile-agrees" if self.run.finished_at is not None else "reconcile-running"


class DifferenceRow(NamedTuple):
    """A difference as text."""

    difference: ReconcileDifference
    title: str
    place: str
    found: str
    needed: str


def _scope_of(run: ReconcileRun) -> str:
    if run.round_id is not None:
        return _("Round") + f" {run.round.reference if run.round else run.round_id}"
    if run.is_of_everything:
        return _("Everything")
    return f"{run.first_day or ''} / {run.last_day or ''}"


def _with_result(rows: QuerySet[Any], result: str) -> QuerySet[Any]:
    differs = Exists(ReconcileDifference.objects.filter(part__run=OuterRef("pk")))
    if result == "differs":
        return rows.filter(differs)
    return rows.filter(~differs, finished_at__isnull=result == "running")


LIST: Final = ListSpec(
    name="reconciliations",
    live="reconciliation",
    filters=(
        choice_filter(
            "result",
            gettext_lazy("Result"),
            lambda: [
                (name, badge_label(f"reconcile-{name}"))
                for name in ("agrees", "differs", "running")
            ],
            _with_result,
        ),
        person_filter(gettext_lazy("Started by")),
        *time_filters("started_at"),
    ),
    columns=(
        Column(
            "started", gettext_lazy("Started"), lambda line: line.run.started_at, Kind.MOMENT, "pk"
        ),
        Column("what", gettext_lazy("What"), lambda line: _scope_of(line.run)),
        Column(
            "person", gettext_lazy("Who"), lambda line: actor_label(line.run.actor), sort="actor"
        ),
        Column("progress", gettext_lazy("Progress"), lambda line: f"{line.progress.percent} %"),
        Column("result", gettext_lazy("Result"), lambda line: badge_label(line.state)),
        Column(
            "differences",
            gettext_lazy("Differences"),
            lambda line: line.progress.differences,
            Kind.COUNT,
        ),
        Column(
            "finished",
            gettext_lazy("Finished"),
            lambda line: line.run.finished_at,
            Kind.MOMENT,
            "finished_at",
            is_optional=True,
        ),
    ),
    sort="-started",
)


@admin.register(ReconcileRun)
class ReconcileRunAdmin(ReadOnlyAdmin):
    """Runs, newest first, and the page of each. Both reload while a run is in progress."""

    spec = LIST
    list_template = "backoffice/reconciliation/reconciliations.html"
    page_template = "backoffice/reconciliation/reconciliation.html"
    related = ("round",)

    def lines(self, rows: list[Any]) -> list[RunRow]:
        """Each run with its progress."""
        progress = progress_of_all(rows)
        return [RunRow(row, progress.get(row.pk, Progress(0, 0, 0))) for row in rows]

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Whether the user may start one, and whether one is in progress."""
        return {
            "may_reconcile": request.user.has_perm(RECONCILE),
            "refresh_seconds": _REFRESH_SECONDS * any(row.finished_at is None for row in rows),
        }

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """The progress of each kind of check, the figures and the differences."""
        query, figures = request.GET, figures_of(row)
        differences = ReconcileDifference.objects.filter(part__run=row)
        page = page_of(differences.select_related("round", "account"), query)
        title = _("Reconciliation of %(when)s") % {"when": moment(row.started_at)}
        return {
            "title": title,
            "name": title,
            "run": RunRow(row, _progress_of(row)),
            "figures": figures,
            "kinds": _kinds_of(row),
            "page": page,
            "differences": [difference_row(difference) for difference in page.rows],
            "left_out": figures["differences"] - differences.count(),
            "refresh_seconds": _REFRESH_SECONDS * (row.finished_at is None),
        }


def last_differing_run() -> RunRow | None:
    """The last completed full run, if it found differences."""
    finished = _RUNS_OF_EVERYTHING.filter(finished_at__isnull=False).order_by("-pk").first()
    run = None if finished is None else RunRow(finished, _progress_of(finished))
    return run if run is not None and run.progress.differences else None


def reconcile_now(request: HttpRequest) -> HttpResponse:
    """Start a full run, or show the one in progress."""
    run = _RUNS_OF_EVERYTHING.filter(finished_at=None).first()
    if run is not None:
        messages.info(request, _("A reconciliation is already running."))
    else:
        run = begin_reconciliation(scope=EVERYTHING, at=timezone.now(), actor=actor_in(request))
        if wake_reconciliation_workers(run.parts.count()):
            messages.success(request, _("Reconciliation started."))
        else:
            warn_broker_unavailable(request)
    return redirect("admin:payouts_reconcilerun_change", run.pk)


def _progress_of(run: ReconcileRun) -> Progress:
    return progress_of_all([run]).get(run.pk, Progress(0, 0, 0))


def progress_of_all(runs: Sequence[ReconcileRun]) -> dict[int, Progress]:
    """The progress of several runs, in one query."""
    parts = ReconcilePart.objects.filter(run__in=runs).order_by().values("run_id")
    sums = parts.annotate(
        done=Count("done_at"), of=Count("pk"), differing=Sum("differences", default=0)
    )
    return {row["run_id"]: Progress(row["done"], row["of"], row["differing"]) for row in sums}


def _kinds_of(run: ReconcileRun) -> list[tuple[str, Progress]]:
    parts = run.parts.values("kind").annotate(
        done=Count("done_at"), of=Count("pk"), differing=Sum("differences")
    )
    progress = {
        row["kind"]: Progress(row["done"], row["of"], row["differing"])
        for row in parts.order_by("kind")
    }
    kinds = ReconcilePart.Kind.choices
    return [(str(label), progress[kind]) for kind, label in kinds if kind in progress]


def difference_row(difference: ReconcileDifference) -> DifferenceRow:
    """A difference as text; it need not be stored."""
    return DifferenceRow(
        difference,
        title_of(difference),
        place_of(difference),
        found_of(difference),
        needed_of(difference),
    )

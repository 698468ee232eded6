"""Reconciliations: how far each has come, what it found to differ, and a button to start one."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from payouts.models import ReconcileDifference, ReconcilePart, ReconcileRun
from payouts.pages.fact_admin import FactAdmin
from payouts.pages.paging import page_of
from payouts.reconciling.wording import found_of, needed_of, place_of, title_of
from payouts.services.reconcile import EVERYTHING, begin_reconciliation, figures_of
from payouts.stuck.people import actor_of
from payouts.tasks import ring_for_reconciliation
from payouts.templatetags.sabot import moment

RECONCILE: Final = "payouts.reconcile"
"""The permission to start a reconciliation."""

_REFRESH_SECONDS: Final = 2
_RUNS_OF_EVERYTHING: Final = ReconcileRun.objects.filter(first_day=None, last_day=None, round=None)


class Progress(NamedTuple):
    """How much of something is done, in parts, and how many differences were found so far."""

    done: int
    parts: int
    differences: int

    @property
    def percent(self) -> int:
        """Whole percents, 100 only when nothing is left."""
        return self.done * 100 // self.parts if self.parts else 100


class Line(NamedTuple):
    """A run as a line of the list."""

    run: ReconcileRun
    progress: Progress

    @property
    def state(self) -> str:
        """The name of its pill."""
        if self.progress.differences:
            return "reconcile-differs"
        return "reconcile-agrees" if self.run.finished_at is not None else "reconcile-running"


class Told(NamedTuple):
    """A difference in words."""

    difference: ReconcileDifference
    title: str
    place: str
    found: str
    needed: str


@admin.register(ReconcileRun)
class ReconcileRunAdmin(FactAdmin):
    """Runs, newest first, and the page of each. Both load again while a run goes on."""

    list_template = "pages/reconciliations.html"
    page_template = "pages/reconciliation.html"
    related = ("round",)

    def list_context(self, request: HttpRequest, rows: list[Any]) -> dict[str, Any]:
        """Each run with how far it is."""
        progress = progress_of_all(rows)
        return {
            "rows": [Line(row, progress.get(row.pk, Progress(0, 0, 0))) for row in rows],
            "may_reconcile": request.user.has_perm(RECONCILE),
            "refresh_seconds": _REFRESH_SECONDS * any(row.finished_at is None for row in rows),
        }

    def page_context(self, request: HttpRequest, row: Any) -> dict[str, Any]:  # noqa: ANN401  the model's row
        """How far each kind of check is, what was looked at, what differs."""
        asked, figures = request.GET, figures_of(row)
        kept = ReconcileDifference.objects.filter(part__run=row)
        page = page_of(
            kept.select_related("round", "account"),
            before=asked.get("before"),
            after=asked.get("after"),
        )
        title = _("Reconciliation of %(when)s") % {"when": moment(row.started_at)}
        return {
            "title": title,
            "name": title,
            "line": Line(row, _progress_of(row)),
            "figures": figures,
            "kinds": _kinds_of(row),
            "page": page,
            "differences": [told_of(one) for one in page.rows],
            "left_out": figures["differences"] - kept.count(),
            "refresh_seconds": _REFRESH_SECONDS * (row.finished_at is None),
        }


def last_differing_run() -> Line | None:
    """The last run of everything that came to its end, if it found differences."""
    finished = _RUNS_OF_EVERYTHING.filter(finished_at__isnull=False).order_by("-pk").first()
    line = None if finished is None else Line(finished, _progress_of(finished))
    return line if line is not None and line.progress.differences else None


def reconcile_now(request: HttpRequest) -> HttpResponse:
    """Begins a run of everything and rings for it; shows the one that is under way if there is."""
    run = _RUNS_OF_EVERYTHING.filter(finished_at=None).first()
    if run is not None:
        messages.info(request, _("A reconciliation is under way already."))
    else:
        actor = actor_of(cast("User", request.user))  # nobody else gets here
        run = begin_reconciliation(scope=EVERYTHING, at=timezone.now(), actor=actor)
        if ring_for_reconciliation(run.parts.count()):
            messages.success(request, _("The workers are at it."))
        else:
            messages.warning(request, _("The broker is away: it begins when it is back."))
    return redirect("admin:payouts_reconcilerun_change", run.pk)


def _progress_of(run: ReconcileRun) -> Progress:
    return progress_of_all([run]).get(run.pk, Progress(0, 0, 0))


def progress_of_all(runs: Sequence[ReconcileRun]) -> dict[int, Progress]:
    """How far each of the runs is, in one query."""
    parts = ReconcilePart.objects.filter(run__in=runs).order_by().values("run_id")
    sums = parts.annotate(
        done=Count("done_at"), of=Count("pk"), differing=Sum("differences", default=0)
    )
    return {row["run_id"]: Progress(row["done"], row["of"], row["differing"]) for row in sums}


def _kinds_of(run: ReconcileRun) -> list[tuple[str, Progress]]:
    parts = run.parts.values("kind").annotate(
        done=Count("done_at"), of=Count("pk"), differing=Sum("differences")
    )
    found = {
        row["kind"]: Progress(row["done"], row["of"], row["differing"])
        for row in parts.order_by("kind")
    }
    kinds = ReconcilePart.Kind.choices
    return [(str(label), found[kind]) for kind, label in kinds if kind in found]


def told_of(difference: ReconcileDifference) -> Told:
    """A difference in words; it need not be stored."""
    return Told(
        difference,
        title_of(difference),
        place_of(difference),
        found_of(difference),
        needed_of(difference),
    )

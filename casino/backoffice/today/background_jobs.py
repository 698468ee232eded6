"""Background jobs on *Today*, with their progress.

``JOBS`` is the list of kinds. To add a kind, write a generator and add it to the list.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.backoffice.exports.messages import LOOK as VIEW_EXPORTS
from casino.backoffice.exports.messages import days_label
from casino.backoffice.reconciliation.reconciliations import progress_of_all
from compliance.exports.models import ExportRun
from payouts.cases.models import CaseRun
from payouts.cases.status import progress_of
from payouts.reconciliation.models import ReconcileRun
from rounds.formatting import moment
from rounds.models.upload import FeedUpload

_MOST: Final = 5
"""Jobs shown per kind, oldest first."""


class Job(NamedTuple):
    """A running job."""

    title: str
    note: str
    address: str
    percent: int


def running_jobs(request: HttpRequest) -> list[Job]:
    """The running jobs that the user is permitted to see."""
    return [job for permission, jobs in JOBS if request.user.has_perm(permission) for job in jobs()]


def show_jobs(request: HttpRequest) -> HttpResponse:
    """The jobs as HTML within JSON, and whether any is running; polled by an open page.

    JSON, so that polling is not recorded as a page view of an auditor.
    """
    jobs = running_jobs(request)
    lines = render_to_string("backoffice/today/job_lines.html", {"jobs": jobs}, request)
    return JsonResponse({"lines": lines, "running": bool(jobs)})


def _reconciliations() -> Iterable[Job]:
    runs = list(ReconcileRun.objects.filter(finished_at=None).order_by("pk")[:_MOST])
    progress = progress_of_all(runs)
    for run in runs:
        so_far = progress[run.pk]
        parts = {"done": so_far.done, "parts": so_far.parts}
        yield Job(
            _("Reconciliation of %(when)s") % {"when": moment(run.started_at)},
            _("%(done)s of %(parts)s parts") % parts,
            reverse("admin:payouts_reconcilerun_change", args=[run.pk]),
            so_far.percent,
        )


def _uploads() -> Iterable[Job]:
    for upload in FeedUpload.objects.filter(finished_at=None).order_by("pk")[:_MOST]:
        yield Job(
            upload.name,
            _("feed of %(who)s, %(rounds)s rounds so far")
            % {"who": upload.actor, "rounds": upload.rounds},
            reverse("admin:payouts_feedupload_change", args=[upload.pk]),
            upload.percent,
        )


def _cases() -> Iterable[Job]:
    for run in CaseRun.objects.filter(finished_at=None).select_related("case")[:_MOST]:
        so_far = progress_of(run)
        yield Job(
            f"{run.case.get_kind_display()} {run.case}",
            _("%(done)s of %(parts)s rounds") % {"done": so_far.done, "parts": so_far.works},
            reverse("case", args=[run.pk]),
            so_far.percent,
        )


def _exports() -> Iterable[Job]:
    for run in ExportRun.objects.filter(finished_at=None).order_by("pk")[:_MOST]:
        yield Job(
            _("Export of %(days)s") % {"days": days_label(run.scope)},
            _("requested by %(who)s") % {"who": run.actor},
            reverse("export_run", args=[run.pk]),
            run.percent,
        )


JOBS: Final[tuple[tuple[str, Callable[[], Iterable[Job]]], ...]] = (
    ("payouts.view_case", _cases),
    ("payouts.view_reconcilerun", _reconciliations),
    ("payouts.view_feedupload", _uploads),
    (VIEW_EXPORTS, _exports),
)
"""Each kind of job with the permission that it requires."""

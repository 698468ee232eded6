"""Long jobs that are under way, whatever they are, and how far each has come.

A kind of job is a line of ``_SOURCES``: who may see it, and what gives those that are under way.
Packages above this one add theirs (``add_jobs``).
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from payouts.cases.standing import progress_of
from payouts.models import CaseRun, FeedUpload, ReconcileRun
from payouts.pages.reconciliations import progress_of_all
from payouts.templatetags.sabot import moment

_MOST: Final = 5
"""So many of each kind are shown, those first that began first."""


class Job(NamedTuple):
    """A job as a line of the card."""

    title: str
    note: str
    address: str
    percent: int


def running_jobs(request: HttpRequest) -> list[Job]:
    """What is under way of all that this person may see."""
    return [
        job
        for jobs, permission in _SOURCES.items()
        if request.user.has_perm(permission)
        for job in jobs()
    ]


def show_jobs(request: HttpRequest) -> HttpResponse:
    """The card's lines for a page that is open already, and whether to ask again.

    JSON and no page: what an auditor looks at is the page around it, which is on record.
    """
    jobs = running_jobs(request)
    lines = render_to_string("pages/job_lines.html", {"jobs": jobs}, request)
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


_SOURCES: Final[dict[Callable[[], Iterable[Job]], str]] = {
    _cases: "payouts.view_case",
    _reconciliations: "payouts.view_reconcilerun",
    _uploads: "payouts.view_feedupload",
}


def add_jobs(jobs: Callable[[], Iterable[Job]], *, permission: str) -> None:
    """Adds a kind of job for those who have the permission; once, however often it is called."""
    _SOURCES[jobs] = permission

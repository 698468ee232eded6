"""What Celery runs. Tasks are bells: the work itself waits in the database."""

import time
from datetime import timedelta
from typing import Final

from celery import shared_task
from django.utils import timezone

from compliance.trail.actor import WORKER, Actor
from payouts.models import CaseRun, ReconcileRun
from payouts.services.close_day import close_days
from payouts.services.end_dispute import FOLLOWER, follow_remedies
from payouts.services.ingest_upload import ingest_uploads
from payouts.services.reconcile import (
    begin_nightly,
    finish_reconciliation,
    work_on_part,
)
from payouts.services.remind_disputes import remind_disputes
from payouts.services.run_cases import work_on_case
from payouts.services.sweep import sweep_waiting_rounds
from rounds.tasks import ring_for, ring_for_settlement

# A task ends after this many batches, so that a worker told to stop stops soon.
_BATCHES: Final = 40
_RECONCILE: Final = "payouts.reconcile"
_INGEST: Final = "payouts.ingest_uploads"
_RUN_CASES: Final = "payouts.run_cases"
# These give way to settlement: a task works so long and then stands in line again.
_TURN_SECONDS: Final = 1.0
_PARTS_A_BELL: Final = 8
_MOST_BELLS: Final = 16
_NIGHT: Final = timedelta(hours=12)


@shared_task(name="payouts.settle_rounds")
def settle_rounds_task() -> None:
    """Settles whatever waits. May be lost, late, doubled: the sweep does the same again."""
    sweep_waiting_rounds(now=timezone.now, actor=WORKER, batches=_BATCHES)


@shared_task(name=_RECONCILE)
def reconcile_task() -> None:
    """Works on reconciliations that are not finished, for a moment, and rings for the rest."""
    deadline = time.monotonic() + _TURN_SECONDS
    open_runs = ReconcileRun.objects.filter(finished_at=None).order_by("pk")
    for run_id in open_runs.values_list("pk", flat=True):
        while work_on_part(run_id, now=timezone.now):
            if time.monotonic() > deadline:
                ring_for(_RECONCILE)
                return
        finish_reconciliation(run_id, now=timezone.now)


@shared_task(name=_INGEST)
def ingest_uploads_task() -> None:
    """Ingests uploaded feeds for a moment, rings for their settlement, and for the rest."""
    deadline = time.monotonic() + _TURN_SECONDS
    done = ingest_uploads(
        now=timezone.now,
        after_batch=ring_for_settlement,
        is_over=lambda: time.monotonic() > deadline,
    )
    if not done:
        ring_for(_INGEST)


@shared_task(name=_RUN_CASES)
def run_cases_task() -> None:
    """Executes approved cases, for a moment, and rings for the rest."""
    deadline = time.monotonic() + _TURN_SECONDS
    open_runs = CaseRun.objects.filter(finished_at=None).order_by("approved_at")
    for case_id in open_runs.values_list("pk", flat=True):
        while work_on_case(case_id, now=timezone.now):
            if time.monotonic() > deadline:
                ring_for(_RUN_CASES)
                return


@shared_task(name="payouts.follow_disputes")
def follow_disputes_task() -> None:
    """Moves disputes whose remedy came to an end, and reminds of those whose time is over."""
    now = timezone.now()
    follow_remedies(at=now)
    remind_disputes(at=now, actor=FOLLOWER)


def ring_for_cases() -> bool:
    """Calls a worker to approved cases. False when the broker is away; the cases wait for it."""
    return ring_for(_RUN_CASES)


@shared_task(name="payouts.reconcile_nightly")
def reconcile_nightly_task() -> None:
    """Begins the night's reconciliation, if no other beat has, and rings for it."""
    run = begin_nightly(at=timezone.now(), actor=Actor("nightly reconciliation"), every=_NIGHT)
    if run is not None:
        ring_for_reconciliation(run.parts.count())


@shared_task(name="payouts.close_days")
def close_days_task() -> None:
    """Closes the days that are over and reconciled; those that cannot be wait for a person."""
    close_days(now=timezone.now, actor=Actor("nightly closing"))


def ring_for_reconciliation(parts: int) -> bool:
    """Calls workers to so many parts, and never so many that settlement has to wait for them.

    False when the broker is away; the parts wait for it.
    """
    bells = min(-(-parts // _PARTS_A_BELL), _MOST_BELLS)
    return all(ring_for(_RECONCILE) for _ in range(bells))


def ring_for_uploads() -> bool:
    """Calls a worker to the uploaded feeds; False when the broker is away, and they wait for it."""
    return ring_for(_INGEST)

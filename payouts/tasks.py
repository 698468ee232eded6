"""Celery tasks. The work waits in the database; a task only starts a worker on it."""

import time
from datetime import timedelta
from functools import partial
from typing import Final

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from compliance.trail.actor import WORKER, Actor
from payouts.cases.models import CaseRun
from payouts.cases.run_cases import work_on_case
from payouts.disputes.close_dispute import FOLLOWER, advance_remedied_disputes
from payouts.disputes.remind_disputes import remind_disputes
from payouts.gaming_days.close_day import close_days
from payouts.recheck.recheck_share import RECHECK_EVERY_SECONDS, recheck_share
from payouts.reconciliation.models import ReconcileRun
from payouts.reconciliation.reconcile import begin_nightly, finish_reconciliation, work_on_part
from payouts.settlement.sweep import sweep_waiting_rounds
from rounds.arrival import configured_limits
from rounds.uploads.ingest_upload import ingest_uploads
from rounds.wake_workers import notify_workers, wake_settlement_workers, work_for_a_moment

# A task ends after this many batches, so that a worker told to stop stops soon.
_BATCHES: Final = 40
_RECONCILE: Final = "payouts.reconcile"
_INGEST: Final = "payouts.ingest_uploads"
_RUN_CASES: Final = "payouts.run_cases"
# Lower-priority tasks: each works this long and then enqueues itself again.
_TURN_SECONDS: Final = 1.0
_PARTS_PER_WAKE_UP: Final = 8
_MOST_WAKE_UPS: Final = 16
_NIGHT: Final = timedelta(hours=12)
NIGHTLY_RECONCILIATION: Final = Actor("nightly reconciliation")
"""Who begins a reconciliation at night."""


@shared_task(name="payouts.settle_rounds")
def settle_rounds_task() -> None:
    """Settles waiting rounds. A lost, late or repeated message does no harm."""
    sweep_waiting_rounds(now=timezone.now, actor=WORKER, batches=_BATCHES)


@shared_task(name=_RECONCILE)
def reconcile_task() -> None:
    """Works on unfinished reconciliations for a moment, then enqueues the rest."""
    open_runs = ReconcileRun.objects.filter(finished_at=None).order_by("pk")
    work_for_a_moment(
        _RECONCILE,
        open_runs.values_list("pk", flat=True),
        work=partial(work_on_part, now=timezone.now),
        finish=partial(finish_reconciliation, now=timezone.now),
    )


@shared_task(name="payouts.recheck_share")
def recheck_share_task() -> None:
    """Verifies some of what is stored again; stops settlement at what differs."""
    recheck_share(
        now=timezone.now,
        seconds=RECHECK_EVERY_SECONDS * settings.RECHECK_PERCENT / 100,
        recent=timedelta(hours=settings.RECHECK_HOURS),
    )


@shared_task(name=_INGEST)
def ingest_uploads_task() -> None:
    """Ingests uploaded feeds for a moment, then enqueues their settlement and the rest."""
    deadline = time.monotonic() + _TURN_SECONDS
    is_done = ingest_uploads(
        now=timezone.now,
        after_batch=wake_settlement_workers,
        is_over=lambda: time.monotonic() > deadline,
        limits=configured_limits(),
    )
    if not is_done:
        notify_workers(_INGEST)


@shared_task(name=_RUN_CASES)
def run_cases_task() -> None:
    """Executes approved cases for a moment, then enqueues the rest."""
    open_runs = CaseRun.objects.filter(finished_at=None).order_by("approved_at")
    work_for_a_moment(
        _RUN_CASES,
        open_runs.values_list("pk", flat=True),
        work=partial(work_on_case, now=timezone.now),
    )


@shared_task(name="payouts.follow_disputes")
def follow_disputes_task() -> None:
    """Closes disputes whose remedy is executed, and records reminders."""
    now = timezone.now()
    advance_remedied_disputes(at=now)
    remind_disputes(at=now, actor=FOLLOWER)


def wake_case_workers() -> bool:
    """Wakes a worker for approved cases. False if the broker is unreachable."""
    return notify_workers(_RUN_CASES)


@shared_task(name="payouts.reconcile_nightly")
def reconcile_nightly_task() -> None:
    """Begins the nightly reconciliation unless another beat has, and enqueues its parts."""
    run = begin_nightly(at=timezone.now(), actor=NIGHTLY_RECONCILIATION, every=_NIGHT)
    if run is not None:
        wake_reconciliation_workers(run.parts.count())


@shared_task(name="payouts.close_days")
def close_days_task() -> None:
    """Closes the days that are over and reconciled."""
    close_days(now=timezone.now, actor=Actor("nightly closing"))


def wake_reconciliation_workers(parts: int) -> bool:
    """Wakes workers for this many parts, but leaves some for settlement.

    False if the broker is unreachable.
    """
    messages = min(-(-parts // _PARTS_PER_WAKE_UP), _MOST_WAKE_UPS)
    return all(notify_workers(_RECONCILE) for _ in range(messages))


def wake_upload_workers() -> bool:
    """Wakes a worker for uploaded feeds. False if the broker is unreachable."""
    return notify_workers(_INGEST)

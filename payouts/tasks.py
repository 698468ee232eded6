"""What Celery runs. Tasks are bells: the work itself waits in the database."""

import time
from datetime import timedelta
from typing import Final

from celery import shared_task
from django.utils import timezone

from compliance.trail.actor import WORKER, Actor
from payouts.models import ReconcileRun
from payouts.services.reconcile import (
    begin_nightly,
    finish_reconciliation,
    work_on_part,
)
from payouts.services.sweep import sweep_waiting_rounds
from rounds.tasks import ring_for

# A task ends after this many batches, so that a worker told to stop stops soon.
_BATCHES: Final = 40
_RECONCILE: Final = "payouts.reconcile"
# Reconciling gives way to settlement: a task works so long and then stands in line again.
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


@shared_task(name="payouts.reconcile_nightly")
def reconcile_nightly_task() -> None:
    """Begins the night's reconciliation, if no other beat has, and rings for it."""
    run = begin_nightly(at=timezone.now(), actor=Actor("nightly reconciliation"), every=_NIGHT)
    if run is not None:
        ring_for_reconciliation(run.parts.count())


def ring_for_reconciliation(parts: int) -> bool:
    """Calls workers to so many parts, and never so many that settlement has to wait for them.

    False when the broker is away; the parts wait for it.
    """
    bells = min(-(-parts // _PARTS_A_BELL), _MOST_BELLS)
    return all(ring_for(_RECONCILE) for _ in range(bells))

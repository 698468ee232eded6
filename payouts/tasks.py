"""What Celery runs. Tasks are bells: the work itself waits in the database."""

from typing import Final

from celery import shared_task
from django.utils import timezone

from compliance.trail.actor import WORKER
from payouts.services.sweep import sweep_waiting_rounds

# A task ends after this many batches, so that a worker told to stop stops soon.
_BATCHES: Final = 40


@shared_task(name="payouts.settle_rounds")
def settle_rounds_task() -> None:
    """Settles whatever waits. May be lost, late, doubled: the sweep does the same again."""
    sweep_waiting_rounds(now=timezone.now, actor=WORKER, batches=_BATCHES)

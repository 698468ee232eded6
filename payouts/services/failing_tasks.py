"""Keeping account of background tasks that fail, as the workers run them."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from payouts.models import FailingTask, WorkKind
from payouts.stuck.steps import still_open
from payouts.stuck.work import PATIENCE
from rounds.services.intake import lock_names


def record_task_failure(*, task: str, error: str, takes_arguments: bool, at: datetime) -> None:
    """Counts a failure of a task; a second one soon after a recovery still belongs to the first.

    So a task that fails on one host and succeeds on the next is seen to fail. Once somebody has
    said that a failing task is dealt with, the next failure begins anew, with no owner.
    """
    error = error.replace("\0", "\N{REPLACEMENT CHARACTER}")
    with transaction.atomic():
        lock_names([f"failing:{task}"])
        lasting = Q(recovered_at__isnull=True) | Q(recovered_at__gt=at - PATIENCE)
        known = still_open(WorkKind.TASK, FailingTask.objects.filter(lasting, task=task))
        failing = known.order_by("-id").first()
        if failing is None:
            FailingTask.objects.create(
                task=task,
                first_failed_at=at,
                last_failed_at=at,
                last_error=error,
                takes_arguments=takes_arguments,
            )
            return
        failing.failures += 1
        failing.last_failed_at, failing.last_error = at, error
        failing.takes_arguments = takes_arguments
        failing.recovered_at = None
        failing.save()


def record_task_success(*, task: str, at: datetime) -> None:
    """Ends the failing of a task; one statement that finds nothing where all is well."""
    FailingTask.objects.filter(task=task, recovered_at__isnull=True).update(recovered_at=at)

"""Recording failures and recoveries of background tasks, by the workers."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from compliance.storage.advisory_locks import lock_names
from payouts.stuck_work.models import FailingTask, WorkKind
from payouts.stuck_work.steps import unresolved
from payouts.stuck_work.work import STUCK_AFTER


def record_task_failure(*, task: str, error: str, takes_arguments: bool, at: datetime) -> None:
    """Counts a failure of a task. One soon after a recovery belongs to the same ``FailingTask``.

    So a task that fails on one host and succeeds on another counts as failing. After a resolution
    the next failure creates a new ``FailingTask`` without an owner.
    """
    error = error.replace("\0", "\N{REPLACEMENT CHARACTER}")
    with transaction.atomic():
        lock_names([f"failing:{task}"])
        lasting = Q(recovered_at__isnull=True) | Q(recovered_at__gt=at - STUCK_AFTER)
        known = unresolved(WorkKind.TASK, FailingTask.objects.filter(lasting, task=task))
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
    """Marks a failing task as recovered, in one statement."""
    FailingTask.objects.filter(task=task, recovered_at__isnull=True).update(recovered_at=at)

"""Running a failing task again by hand."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.steps import StepError
from payouts.stuck_work.locked_work import add_step, lock_unresolved
from payouts.stuck_work.models import FailingTask, StuckWorkStep, WorkKind
from payouts.stuck_work.work import WorkId


class TaskTakesArguments(StepError):
    """The task was called with arguments, which are not stored."""


def retry_task(*, failing_id: int, seen: int, at: datetime, actor: Actor) -> str:
    """Records that a failing task is run again and returns its name. The caller runs it.

    ``seen`` is the sequence of the latest step that the actor knows. Raises TaskTakesArguments,
    StuckWorkResolved, StaleState or StuckWorkEnded.
    """
    with transaction.atomic():
        locked = lock_unresolved(WorkId(WorkKind.TASK, failing_id), seen=seen)
        failing = FailingTask.objects.get(pk=failing_id)
        if failing.takes_arguments:
            raise TaskTakesArguments
        details = {"failures": failing.failures, "last_error": failing.last_error}
        action, record = StuckWorkStep.Action.RETRIED, ("TASK_RETRIED", details)
        add_step(locked, action, record, owner=locked.owner, at=at, actor=actor)
        return failing.task

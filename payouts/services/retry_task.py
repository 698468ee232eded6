"""Running a failing task again by hand."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.models import FailingTask, StuckWorkStep, WorkKind
from payouts.services.stuck_steps import (
    StuckWorkClosed,
    StuckWorkRefusal,
    add_step,
    hold_work,
    record_step,
)
from payouts.stuck.work import WorkId


class TaskTakesArguments(StuckWorkRefusal):
    """The task was called with arguments, so its name alone does not run it again."""


def retry_task(*, failing_id: int, seen: int, at: datetime, actor: Actor) -> str:
    """Records that a failing task is run again and gives its name; whoever calls it runs it.

    ``seen`` is the sequence of the latest step that the actor knows. Raises TaskTakesArguments,
    StuckWorkClosed, StuckWorkMoved or StuckWorkGone.
    """
    with transaction.atomic():
        held = hold_work(WorkId(WorkKind.TASK, failing_id), seen=seen)
        if held.is_closed:
            raise StuckWorkClosed
        failing = FailingTask.objects.get(pk=failing_id)
        if failing.takes_arguments:
            raise TaskTakesArguments
        add_step(held, StuckWorkStep.Action.RETRIED, owner=held.owner, note="", at=at, actor=actor)
        details = {"failures": failing.failures, "last_error": failing.last_error}
        record_step("TASK_RETRIED", held, details, at=at, actor=actor)
        return failing.task

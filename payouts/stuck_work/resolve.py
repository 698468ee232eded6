"""Resolving exceptions."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.steps import StepError
from payouts.stuck_work.locked_work import add_step, lock_unresolved
from payouts.stuck_work.models import StuckWorkStep, WorkKind
from payouts.stuck_work.work import WorkId


class RoundNotClosable(StepError):
    """A round stays stuck until it is settled or held."""


class ReasonMissing(StepError):
    """A resolution without a reason."""


def resolve_stuck_work(*, work: WorkId, reason: str, seen: int, at: datetime, actor: Actor) -> None:
    """Marks a conflict, a quarantined document or a failing task as resolved.

    The document stays stored; a task that fails again becomes a new exception. ``seen`` is the
    sequence of the latest step that the actor knows. Raises RoundNotClosable, ReasonMissing,
    StuckWorkResolved, StaleState or StuckWorkEnded.
    """
    if work.kind is WorkKind.ROUND:
        raise RoundNotClosable
    if not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        locked = lock_unresolved(work, seen=seen)
        note, action = reason.strip(), StuckWorkStep.Action.RESOLVED
        record = ("WORK_RESOLVED", {"reason": note})
        add_step(locked, action, record, owner=locked.owner, note=note, at=at, actor=actor)

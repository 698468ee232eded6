"""Closing stuck work that somebody has dealt with."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.models import StuckWorkStep, WorkKind
from payouts.services.stuck_steps import (
    StuckWorkClosed,
    StuckWorkRefusal,
    add_step,
    hold_work,
    record_step,
)
from payouts.stuck.work import WorkId


class RoundNotClosable(StuckWorkRefusal):
    """A round waits until it is settled or held; nobody can say that it is not owed."""


class ReasonMissing(StuckWorkRefusal):
    """Whoever closes something says why."""


def resolve_stuck_work(*, work: WorkId, reason: str, seen: int, at: datetime, actor: Actor) -> None:
    """Says that somebody has dealt with a conflict, a quarantined document or a failing task.

    The document stays where it is, byte for byte; a task that fails again is stuck work anew.
    ``seen`` is the sequence of the latest step that the actor knows. Raises RoundNotClosable,
    ReasonMissing, StuckWorkClosed, StuckWorkMoved or StuckWorkGone.
    """
    if work.kind is WorkKind.ROUND:
        raise RoundNotClosable
    if not reason.strip():
        raise ReasonMissing
    with transaction.atomic():
        held = hold_work(work, seen=seen)
        if held.is_closed:
            raise StuckWorkClosed
        note, resolved = reason.strip(), StuckWorkStep.Action.RESOLVED
        add_step(held, resolved, owner=held.owner, note=note, at=at, actor=actor)
        record_step("WORK_RESOLVED", held, {"reason": note}, at=at, actor=actor)

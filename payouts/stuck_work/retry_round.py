"""Retrying a waiting round before its next attempt is due."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.stuck_work.locked_work import add_step, lock_work
from payouts.stuck_work.models import StuckWorkStep, WorkKind
from payouts.stuck_work.work import WorkId
from rounds.services.queue import retry_round_now


def retry_round(*, round_id: UUID, seen: int, at: datetime, actor: Actor) -> None:
    """Makes a waiting round due now. The caller wakes the settlement workers.

    ``seen`` is the sequence of the latest step that the actor knows. Raises RoundBeingProcessed,
    RoundSuspended, StaleState or StuckWorkEnded.
    """
    with transaction.atomic():
        locked = lock_work(WorkId(WorkKind.ROUND, round_id), seen=seen)
        tries, error = retry_round_now(round_id, at=at)
        action = StuckWorkStep.Action.RETRIED
        record = ("ROUND_RETRIED", {"tries": tries, "last_error": error})
        add_step(locked, action, record, owner=locked.owner, at=at, actor=actor)

"""Trying a waiting round again before its pause is over."""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.models import StuckWorkStep, WorkKind
from payouts.services.stuck_steps import add_step, hold_work, record_step
from payouts.stuck.work import WorkId
from rounds.services.queue import hasten_round


def retry_round(*, round_id: UUID, seen: int, at: datetime, actor: Actor) -> None:
    """Makes a waiting round due at once; whoever calls it rings for the settlement afterwards.

    The sweep would try it by itself, later. ``seen`` is the sequence of the latest step that the
    actor knows. Raises RoundInHand where a worker tries it this moment, RoundSuspended where
    its table is, else StuckWorkMoved or StuckWorkGone.
    """
    with transaction.atomic():
        held = hold_work(WorkId(WorkKind.ROUND, round_id), seen=seen)
        tries, error = hasten_round(round_id, at=at)
        add_step(held, StuckWorkStep.Action.RETRIED, owner=held.owner, note="", at=at, actor=actor)
        details = {"tries": tries, "last_error": error}
        record_step("ROUND_RETRIED", held, details, at=at, actor=actor)

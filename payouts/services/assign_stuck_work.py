"""Giving stuck work an owner."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from compliance.trail.actor import Actor
from payouts.models import StuckWorkStep
from payouts.services.stuck_steps import StuckWorkRefusal, add_step, hold_work, record_step
from payouts.stuck.people import HANDLE, name_of
from payouts.stuck.work import WorkId


class OwnerMayNotHandle(StuckWorkRefusal):
    """The person who should have the work may not do anything about it."""

    def __init__(self, owner: User) -> None:
        super().__init__(owner.get_username())
        self.owner = owner


def assign_stuck_work(
    *, work: WorkId, owner: User | None, note: str = "", seen: int, at: datetime, actor: Actor
) -> None:
    """Gives the work to a person, or to nobody; what was dealt with is open again.

    ``seen`` is the sequence of the latest step that the actor knows. Nothing happens when the
    person has it already. Raises OwnerMayNotHandle, StuckWorkMoved or StuckWorkGone.
    """
    if owner is not None and not (owner.is_active and owner.has_perm(HANDLE)):
        raise OwnerMayNotHandle(owner)
    with transaction.atomic():
        held = hold_work(work, seen=seen)
        if held.owner == owner and not held.is_closed:
            return
        action = StuckWorkStep.Action.ASSIGNED
        add_step(held, action, owner=owner, note=note.strip(), at=at, actor=actor)
        details = {
            "from": name_of(held.owner),
            "to": name_of(owner),
            "to_user_id": None if owner is None else owner.pk,
            "reopened": held.is_closed,
            "note": note.strip(),
        }
        record_step("WORK_ASSIGNED", held, details, at=at, actor=actor)

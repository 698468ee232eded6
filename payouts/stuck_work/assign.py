"""Assigning an exception, or a held round, to a person."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.people import name_of
from compliance.trail.steps import StepError
from payouts.stuck_work.locked_work import add_step, lock_work
from payouts.stuck_work.models import StuckWorkStep
from payouts.stuck_work.permissions import handlers
from payouts.stuck_work.work import WorkId


class OwnerNotPermitted(StepError):
    """The new owner lacks the permission to handle exceptions."""

    def __init__(self, owner: User) -> None:
        super().__init__(owner.get_username())
        self.owner = owner


def assign_stuck_work(
    *, work: WorkId, owner: User | None, note: str = "", seen: int, at: datetime, actor: Actor
) -> None:
    """Assigns the work to a person, or to nobody, with a note. Resolved work is reopened.

    ``seen`` is the sequence of the latest step that the actor knows. An unchanged owner without a
    note writes nothing. Raises OwnerNotPermitted, StaleState or StuckWorkEnded.
    """
    if owner is not None and not handlers().filter(pk=owner.pk).exists():
        raise OwnerNotPermitted(owner)
    with transaction.atomic():
        locked = lock_work(work, seen=seen, may_be_held=True)
        if locked.owner == owner and not locked.is_closed and not note.strip():
            return
        details = {
            "from": name_of(locked.owner),
            "to": name_of(owner),
            "to_user_id": None if owner is None else owner.pk,
            "reopened": locked.is_closed,
            "note": note.strip(),
        }
        action, record = StuckWorkStep.Action.ASSIGNED, ("WORK_ASSIGNED", details)
        add_step(locked, action, record, owner=owner, note=note.strip(), at=at, actor=actor)

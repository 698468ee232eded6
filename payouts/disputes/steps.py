"""Adding a step to a dispute: one at a time, in order, on the state that the caller saw."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from compliance.signatures.sign_decision import record_decision
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import record_entries
from compliance.trail.steps import StepError, WrongStatus, require_latest
from payouts.disputes.models import Dispute, DisputeStep
from payouts.disputes.models.dispute_step import FOLLOWS
from payouts.disputes.status import (
    STATES,
    DisputeStatus,
    State,
    dispute_status,
    limit_after,
    steps_of,
)


class NoteRequired(StepError):
    """A step that needs a text for the customer."""


class LockedDispute(NamedTuple):
    """A dispute that is locked for the current transaction."""

    dispute: Dispute
    steps: list[DisputeStep]
    status: DisputeStatus


def lock_dispute(
    dispute_id: int, *, seen: int | None, then: DisputeStep.Action | None = None
) -> LockedDispute:
    """Locks a dispute for this transaction, in a state that allows the action ``then``.

    ``seen`` is the sequence of the latest step that the person knows, None for a worker. Raises
    StaleState, WrongStatus or Dispute.DoesNotExist.
    """
    lock_names([f"dispute:{dispute_id}"])
    dispute = Dispute.objects.select_related("customer", "round").get(pk=dispute_id)
    steps = steps_of(dispute)
    status = dispute_status(steps)
    if seen is not None:
        require_latest(status.latest, seen=seen)
    if then is not None and then.value not in FOLLOWS[status.latest.action]:
        raise WrongStatus(status.state, needed=states_before(then))
    return LockedDispute(dispute, steps, status)


def states_before(action: DisputeStep.Action) -> list[State]:
    """The states that allow an action."""
    before = [STATES[step] for step, allowed in FOLLOWS.items() if step and action in allowed]
    return list(dict.fromkeys(before))


def add_dispute_step(
    dispute: Dispute,
    steps: Sequence[DisputeStep],
    action: DisputeStep.Action,
    *,
    note: str = "",
    at: datetime,
    actor: Actor,
    details: Mapping[str, Any] | None = None,
    **columns: Any,
) -> DisputeStep:
    """Adds a step with its due date and its audit record, in the current transaction.

    ``steps`` are all earlier steps; ``details`` are further members of the record. Decisions are
    signed: raises as ``record_decision``.
    """
    limit = limit_after(steps, action, at=at)
    step = DisputeStep(
        dispute=dispute,
        sequence=len(steps) + 1,
        action=action,
        note=note,
        remind_at=None if limit is None else limit.remind_at,
        due_at=None if limit is None else limit.due_at,
        at=at,
        actor=actor.name,
        actor_user_id=actor.user_id,
        **columns,
    )
    step.save(force_insert=True)
    if step.is_decision:
        record_decision(step.entry, at=at, actor=actor)
    else:
        entry = step.entry._replace(details={**step.entry.details, **(details or {})})
        record_entries([entry], at=at, actor=actor)
    return step


def take_step(
    dispute_id: int,
    seen: int,
    action: DisputeStep.Action,
    **step: Any,
) -> DisputeStep:
    """Locks a dispute and adds a step. Raises StaleState or WrongStatus."""
    with transaction.atomic():
        locked = lock_dispute(dispute_id, seen=seen, then=action)
        return add_dispute_step(locked.dispute, locked.steps, action, **step)


def require_note(note: str, *, needed: str) -> str:
    """Returns the text without surrounding white space. Raises NoteRequired."""
    if not note.strip():
        raise NoteRequired(f"note: found no text; needed {needed}")
    return note.strip()

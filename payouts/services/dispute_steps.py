"""What every step of a dispute shares: one at a time, in order, on what the person saw."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.disputes.standing import Standing, State, limit_after, standing_of, steps_of
from payouts.models import Dispute, DisputeStep
from payouts.models.dispute_step import FOLLOWS
from rounds.services.intake import lock_names


class DisputeRefusal(Exception):
    """Something cannot be done about a dispute; nothing was written."""


class DisputeMoved(DisputeRefusal):
    """Somebody else acted on the dispute after the person had looked."""

    def __init__(self, latest: DisputeStep) -> None:
        super().__init__(
            f"seen: found {latest.sequence}, {latest.action} by {latest.actor} at"
            f" {latest.at.isoformat()}; needed the latest step"
        )
        self.latest = latest
        """What the other did."""


class NotInThisState(DisputeRefusal):
    """The dispute stands elsewhere than where that can be done."""

    def __init__(self, state: State, *, needed: Collection[State]) -> None:
        super().__init__(f"found {state.value}; needed {' or '.join(needed)}")
        self.state, self.needed = state, tuple(needed)


class NothingWritten(DisputeRefusal):
    """A step that says something to the customer, without a word."""


class NotAPerson(DisputeRefusal):
    """Who takes, decides and closes has an account; a program has none."""


class HeldDispute(NamedTuple):
    """A dispute that is locked for the current transaction."""

    dispute: Dispute
    steps: list[DisputeStep]
    standing: Standing


def hold_dispute(
    dispute_id: int, *, seen: int | None, then: DisputeStep.Action | None = None
) -> HeldDispute:
    """Locks a dispute for this transaction, if it stands as the person saw it.

    ``seen`` is the sequence of the latest step that the person knows, None for a worker, who looks
    for himself; ``then`` what is to be done. Raises DisputeMoved, NotInThisState or
    Dispute.DoesNotExist.
    """
    lock_names([f"dispute:{dispute_id}"])
    dispute = Dispute.objects.select_related("customer", "round").get(pk=dispute_id)
    steps = steps_of(dispute)
    standing = standing_of(steps)
    if seen is not None and standing.latest.sequence != seen:
        raise DisputeMoved(standing.latest)
    if then is not None and then.value not in FOLLOWS[standing.latest.action]:
        raise NotInThisState(standing.state, needed=states_before(then))
    return HeldDispute(dispute, steps, standing)


def states_before(action: DisputeStep.Action) -> list[State]:
    """In which states that can be done."""
    return list(
        dict.fromkeys(
            standing_of([DisputeStep(action=before)]).state
            for before, allowed in FOLLOWS.items()
            if before and action.value in allowed
        )
    )


def add_dispute_step(
    dispute: Dispute,
    steps: Sequence[DisputeStep],
    action: DisputeStep.Action,
    *,
    note: str = "",
    at: datetime,
    actor: Actor,
    told: Mapping[str, Any] | None = None,
    **columns: Any,  # noqa: ANN401  of the step
) -> DisputeStep:
    """Adds a step with its time limit, and its record in the trail, in the current transaction.

    ``steps`` are those before it.
    """
    limit = limit_after(steps, action, at=at)
    step = DisputeStep.objects.create(
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
    details = {
        "round": dispute.round.reference,
        "customer": dispute.customer.pseudonym,
        "note": note,
        "due": None if limit is None else limit.due_at.isoformat(),
        **(told or {}),
    }
    entry = Entry(f"DISPUTE_{action.value.upper()}", f"dispute:{dispute}", details)
    record_entries([entry], at=at, actor=actor)
    return step


def written(note: str, *, needed: str) -> str:
    """The text without what surrounds it. Raises NothingWritten."""
    if not note.strip():
        raise NothingWritten(f"note: found no text; needed {needed}")
    return note.strip()


def require_person(actor: Actor) -> int:
    """The account of who acts. Raises NotAPerson."""
    if actor.user_id is None:
        raise NotAPerson(f"actor: found {actor.name}; needed a person with an account")
    return actor.user_id

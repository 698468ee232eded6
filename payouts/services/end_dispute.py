"""What follows a decision: closing, the outside body, reopening once, the remedy's own end."""

from datetime import date, datetime
from typing import Final, NamedTuple

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.cases.standing import Stage
from payouts.disputes.standing import UPHELD, State, latest_steps
from payouts.models import Case, DisputeRemedy, DisputeStep
from payouts.services.dispute_remedies import has_done_all, stage_of_case
from payouts.services.dispute_steps import (
    DisputeRefusal,
    NotInThisState,
    add_dispute_step,
    hold_dispute,
    require_person,
    written,
)

Action = DisputeStep.Action
FOLLOWER: Final = Actor("dispute follow-up")
"""Whoever closes a dispute whose remedy was executed."""


class ReopenedAlready(DisputeRefusal):
    """A dispute is reopened once."""


class NoLetter(DisputeRefusal):
    """What goes to the outside body or comes from there has a reference."""


class Letter(NamedTuple):
    """A letter to the outside body or from there."""

    reference: str
    on_day: date
    note: str = ""


def close_dispute(
    *, dispute_id: int, seen: int, note: str = "", at: datetime, actor: Actor
) -> DisputeStep:
    """Closes a rejected dispute; an upheld one closes by itself when its remedy was executed.

    Raises NotAPerson, DisputeMoved or NotInThisState.
    """
    require_person(actor)
    with transaction.atomic():
        held = hold_dispute(dispute_id, seen=seen, then=Action.CLOSED)
        if held.standing.state is not State.REJECTED:
            raise NotInThisState(held.standing.state, needed=[State.REJECTED])
        return add_dispute_step(
            held.dispute, held.steps, Action.CLOSED, note=note.strip(), at=at, actor=actor
        )


def escalate_dispute(
    *, dispute_id: int, seen: int, letter: Letter, at: datetime, actor: Actor
) -> DisputeStep:
    """Says that the customer went to the outside body, by which letter.

    Raises NoLetter, DisputeMoved or NotInThisState.
    """
    return _by_letter(dispute_id, seen, Action.ESCALATED, letter, at=at, actor=actor)


def answer_from_outside(
    *, dispute_id: int, seen: int, is_confirmed: bool, letter: Letter, at: datetime, actor: Actor
) -> DisputeStep:
    """Says what the outside body answered: the decision stands, or is to be taken anew.

    Raises NotAPerson, NoLetter, DisputeMoved or NotInThisState.
    """
    require_person(actor)
    action = Action.CONFIRMED if is_confirmed else Action.OVERTURNED
    return _by_letter(dispute_id, seen, action, letter, at=at, actor=actor)


def reopen_dispute(
    *, dispute_id: int, seen: int, note: str, at: datetime, actor: Actor
) -> DisputeStep:
    """Puts a rejected or closed dispute back into review, once.

    Raises NotAPerson, NothingWritten, ReopenedAlready, DisputeMoved or NotInThisState.
    """
    require_person(actor)
    reason = written(note, needed="why it is reopened")
    with transaction.atomic():
        held = hold_dispute(dispute_id, seen=seen, then=Action.REOPENED)
        earlier = [step for step in held.steps if step.action == Action.REOPENED]
        if earlier:
            raise ReopenedAlready(f"found {held.dispute} reopened by {earlier[0].actor}")
        return add_dispute_step(
            held.dispute, held.steps, Action.REOPENED, note=reason, at=at, actor=actor
        )


def follow_remedies(*, at: datetime) -> int:
    """Closes disputes whose remedy was executed, puts back those whose came to nothing.

    Gives how many moved. May be run twice at once: each dispute is locked and looked at anew.
    """
    actions = [state.value for state in UPHELD]
    waiting = latest_steps().filter(action__in=actions).order_by("dispute_id")
    ids = list(waiting.values_list("dispute_id", flat=True))
    return sum(follow_remedy(dispute_id=one, at=at) is not None for one in ids)


def follow_remedy(*, dispute_id: int, at: datetime) -> DisputeStep | None:
    """What became of a dispute's remedy, as its next step; None while it is under way."""
    with transaction.atomic():
        held = hold_dispute(dispute_id, seen=None)
        if held.standing.state not in UPHELD:
            return None
        remedies = DisputeRemedy.objects.filter(dispute_id=dispute_id).select_related("case")
        own = remedies.get(sequence=held.standing.latest.sequence, is_own=True)
        action = _outcome(own.case)
        if action is None:
            return None
        told = {"case": str(own.case)}
        return add_dispute_step(
            held.dispute, held.steps, action, note=str(own.case), at=at, actor=FOLLOWER, told=told
        )


def _outcome(case: Case) -> DisputeStep.Action | None:
    """Closed once all of it was done; back to review where it was not, or will not be."""
    if has_done_all(case):
        return Action.CLOSED
    is_over = stage_of_case(case) in {Stage.DONE, Stage.REJECTED, Stage.WITHDRAWN}
    return Action.REMEDY_FAILED if is_over else None


def _by_letter(
    dispute_id: int,
    seen: int,
    action: DisputeStep.Action,
    letter: Letter,
    *,
    at: datetime,
    actor: Actor,
) -> DisputeStep:
    reference = letter.reference.strip()
    if not reference:
        raise NoLetter("reference: found none; needed that of a letter")
    with transaction.atomic():
        held = hold_dispute(dispute_id, seen=seen, then=action)
        return add_dispute_step(
            held.dispute,
            held.steps,
            action,
            note=letter.note.strip(),
            at=at,
            actor=actor,
            told={"reference": reference, "day": letter.on_day.isoformat()},
            reference=reference,
            on_day=letter.on_day,
        )

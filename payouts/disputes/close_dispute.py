"""Steps after a decision: closing, the external body, reopening, the end of the remedy."""

from datetime import datetime
from typing import Final

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.steps import StepError, require_person, require_status
from payouts.cases.models import Case
from payouts.cases.status import Stage
from payouts.disputes.execute_remedy import has_done_all, stage_of_case
from payouts.disputes.models import DisputeRemedy, DisputeStep
from payouts.disputes.status import UPHELD, State, latest_steps
from payouts.disputes.steps import add_dispute_step, lock_dispute, require_note, take_step
from payouts.regulator_letters import Letter

Action = DisputeStep.Action
FOLLOWER: Final = Actor("dispute follow-up")
"""The actor that closes disputes whose remedy was executed."""


class AlreadyReopened(StepError):
    """The dispute was reopened before. It can be reopened once."""


def close_dispute(
    *, dispute_id: int, seen: int, note: str = "", at: datetime, actor: Actor
) -> DisputeStep:
    """Closes a rejected dispute. An upheld one closes by itself once its remedy is executed.

    Raises PersonRequired, StaleState or WrongStatus.
    """
    require_person(actor)
    with transaction.atomic():
        locked = lock_dispute(dispute_id, seen=seen, then=Action.CLOSED)
        require_status(locked.status.state, needed=[State.REJECTED])
        return add_dispute_step(
            locked.dispute, locked.steps, Action.CLOSED, note=note.strip(), at=at, actor=actor
        )


def escalate_dispute(
    *, dispute_id: int, seen: int, letter: Letter, at: datetime, actor: Actor
) -> DisputeStep:
    """Records the letter with which the customer escalated to the external body.

    Raises LetterReferenceMissing, StaleState or WrongStatus.
    """
    return _add_letter(dispute_id, seen, Action.ESCALATED, letter, at=at, actor=actor)


def record_outside_answer(
    *, dispute_id: int, seen: int, is_confirmed: bool, letter: Letter, at: datetime, actor: Actor
) -> DisputeStep:
    """Records the external body's answer: it confirms the decision, or returns it to review.

    Raises PersonRequired, LetterReferenceMissing, StaleState or WrongStatus.
    """
    require_person(actor)
    action = Action.CONFIRMED if is_confirmed else Action.OVERTURNED
    return _add_letter(dispute_id, seen, action, letter, at=at, actor=actor)


def reopen_dispute(
    *, dispute_id: int, seen: int, note: str, at: datetime, actor: Actor
) -> DisputeStep:
    """Returns a rejected or closed dispute to review, once.

    Raises PersonRequired, NoteRequired, AlreadyReopened, StaleState or WrongStatus.
    """
    require_person(actor)
    reason = require_note(note, needed="why it is reopened")
    with transaction.atomic():
        locked = lock_dispute(dispute_id, seen=seen, then=Action.REOPENED)
        earlier = [step for step in locked.steps if step.action == Action.REOPENED]
        if earlier:
            raise AlreadyReopened(f"found {locked.dispute} reopened by {earlier[0].actor}")
        return add_dispute_step(
            locked.dispute, locked.steps, Action.REOPENED, note=reason, at=at, actor=actor
        )


def advance_remedied_disputes(*, at: datetime) -> int:
    """Closes disputes whose remedy was executed; returns those whose remedy failed to review.

    Returns the number of disputes that changed. Safe to run concurrently.
    """
    actions = [state.value for state in UPHELD]
    upheld = latest_steps().filter(action__in=actions).order_by("dispute_id")
    ids = list(upheld.values_list("dispute_id", flat=True))
    steps = [advance_remedied_dispute(dispute_id=dispute_id, at=at) for dispute_id in ids]
    return sum(step is not None for step in steps)


def advance_remedied_dispute(*, dispute_id: int, at: datetime) -> DisputeStep | None:
    """The step that follows the remedy; None while it is in progress."""
    with transaction.atomic():
        locked = lock_dispute(dispute_id, seen=None)
        if locked.status.state not in UPHELD:
            return None
        remedies = DisputeRemedy.objects.filter(dispute_id=dispute_id).select_related("case")
        case = remedies.get(sequence=locked.status.latest.sequence, is_own=True).case
        action = _action_after(case)
        if action is None:
            return None
        return add_dispute_step(
            locked.dispute,
            locked.steps,
            action,
            note=str(case),
            at=at,
            actor=FOLLOWER,
            details={"case": str(case)},
        )


def _action_after(case: Case) -> DisputeStep.Action | None:
    """Closed once the case was executed completely; back to review if it failed."""
    if has_done_all(case):
        return Action.CLOSED
    is_over = stage_of_case(case) in {Stage.DONE, Stage.REJECTED, Stage.WITHDRAWN}
    return Action.REMEDY_FAILED if is_over else None


def _add_letter(
    dispute_id: int,
    seen: int,
    action: DisputeStep.Action,
    letter: Letter,
    *,
    at: datetime,
    actor: Actor,
) -> DisputeStep:
    return take_step(dispute_id, seen, action, at=at, actor=actor, **letter.columns())

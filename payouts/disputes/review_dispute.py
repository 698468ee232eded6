"""Reviewing a dispute: a person takes it, and corresponds with the customer."""

from datetime import datetime

from compliance.trail.actor import Actor
from compliance.trail.steps import require_person
from payouts.disputes.models import DisputeStep
from payouts.disputes.steps import require_note, take_step

Action = DisputeStep.Action


def take_dispute(*, dispute_id: int, seen: int, at: datetime, actor: Actor) -> DisputeStep:
    """Takes a dispute into review, or over from its present owner.

    Raises PersonRequired, StaleState or WrongStatus.
    """
    require_person(actor)
    return take_step(dispute_id, seen, Action.TAKEN, at=at, actor=actor)


def ask_customer(
    *, dispute_id: int, seen: int, note: str, at: datetime, actor: Actor
) -> DisputeStep:
    """Asks the customer a question. The time for the decision is suspended until the answer.

    Raises NoteRequired, PersonRequired, StaleState or WrongStatus.
    """
    require_person(actor)
    question = require_note(note, needed="what the customer is asked")
    return take_step(dispute_id, seen, Action.QUESTION_SENT, note=question, at=at, actor=actor)


def answer_dispute(
    *, dispute_id: int, seen: int, note: str, at: datetime, actor: Actor
) -> DisputeStep:
    """Records the customer's answer. The customer, a program or a person may submit it.

    Raises NoteRequired, StaleState or WrongStatus.
    """
    answer = require_note(note, needed="what the customer answered")
    return take_step(dispute_id, seen, Action.ANSWERED, note=answer, at=at, actor=actor)

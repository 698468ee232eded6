"""Reviewing a dispute: somebody takes it, and speaks with the customer."""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.models import DisputeStep
from payouts.services.dispute_steps import (
    add_dispute_step,
    hold_dispute,
    require_person,
    written,
)

Action = DisputeStep.Action


def take_dispute(*, dispute_id: int, seen: int, at: datetime, actor: Actor) -> DisputeStep:
    """Takes a dispute into review, or over from whoever has it.

    Raises NotAPerson, DisputeMoved or NotInThisState.
    """
    require_person(actor)
    with transaction.atomic():
        held = hold_dispute(dispute_id, seen=seen, then=Action.TAKEN)
        return add_dispute_step(held.dispute, held.steps, Action.TAKEN, at=at, actor=actor)


def ask_customer(
    *, dispute_id: int, seen: int, note: str, at: datetime, actor: Actor
) -> DisputeStep:
    """Asks the customer something; the time for the decision stands still until he answers.

    Raises NothingWritten, NotAPerson, DisputeMoved or NotInThisState.
    """
    require_person(actor)
    asked = written(note, needed="what the customer is asked")
    with transaction.atomic():
        held = hold_dispute(dispute_id, seen=seen, then=Action.ASKED)
        return add_dispute_step(
            held.dispute, held.steps, Action.ASKED, note=asked, at=at, actor=actor
        )


def answer_dispute(
    *, dispute_id: int, seen: int, note: str, at: datetime, actor: Actor
) -> DisputeStep:
    """What the customer answered; he himself, a program or a person hands it in.

    Raises NothingWritten, DisputeMoved or NotInThisState.
    """
    answer = written(note, needed="what the customer answered")
    with transaction.atomic():
        held = hold_dispute(dispute_id, seen=seen, then=Action.ANSWERED)
        return add_dispute_step(
            held.dispute, held.steps, Action.ANSWERED, note=answer, at=at, actor=actor
        )

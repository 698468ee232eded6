"""Setting the term of a dispute state."""

from datetime import datetime
from typing import Final

from django.db import transaction

from compliance.signatures.sign_decision import record_decision
from compliance.trail.actor import Actor
from compliance.trail.steps import StepError, require_person
from payouts.disputes.calendar import Term
from payouts.disputes.models import DisputeTerm
from payouts.disputes.status import FIRST_TERMS, State

MOST_DAYS: Final = 365


class InvalidTerm(StepError):
    """A state without a term, or a number of days out of range."""


def set_dispute_term(*, state: State, term: Term, at: datetime, actor: Actor) -> DisputeTerm:
    """Sets the term of a state for later steps. Present due dates stay.

    Raises InvalidTerm or PersonRequired. The actor signs: raises as ``record_decision``.
    """
    person = require_person(actor)
    if state not in FIRST_TERMS:
        raise InvalidTerm(f"state: found {state.value}; needed one of {', '.join(FIRST_TERMS)}")
    if not 1 <= term.days <= MOST_DAYS:
        raise InvalidTerm(f"days: found {term.days}; needed 1 to {MOST_DAYS}")
    with transaction.atomic():
        row = DisputeTerm.objects.create(
            state=state,
            days=term.days,
            are_working_days=term.are_working_days,
            set_at=at,
            actor=actor.name,
            actor_user_id=person,
        )
        record_decision(row.entry, at=at, actor=actor)
    return row

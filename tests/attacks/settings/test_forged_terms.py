"""Terms of disputes that nobody signed: they are not in force, and are named."""

from datetime import timedelta
from functools import partial
from typing import Final

import pytest

from compliance.signatures import verify_rows as rows_in_force
from compliance.signatures.sign_decision import SignatureRequired
from compliance.trail.actor import Actor
from compliance.trail.record import record_entry
from compliance.trail.steps import PersonRequired
from payouts.disputes import set_dispute_term as service
from payouts.disputes import status
from payouts.disputes.calendar import Term
from payouts.disputes.models import DisputeTerm
from payouts.disputes.set_dispute_term import set_dispute_term
from payouts.disputes.status import FIRST_TERMS, KNOWN_TERMS, State, terms_in_force
from tests.attacks.forgeries import as_web, faults
from tests.attacks.guards import Guard
from tests.casino_in_play import NOW
from tests.payouts.settlement.resettlement_scenarios import LORENZO

pytestmark = pytest.mark.django_db

SIGNED: Final = Term(10, are_working_days=True)
LATER: Final = NOW + timedelta(minutes=1)
UNSIGNED: Final = Actor(LORENZO.name, LORENZO.user_id)


@pytest.fixture(autouse=True)
def _signed(db: None) -> None:
    """Lorenzo has set the term of the review."""
    KNOWN_TERMS.forget()
    set_dispute_term(state=State.IN_REVIEW, term=SIGNED, at=NOW, actor=LORENZO)


def forged(state: State) -> DisputeTerm:
    """A year, in Lorenzo's name."""
    return DisputeTerm.objects.create(
        state=state,
        days=365,
        are_working_days=False,
        set_at=LATER,
        actor=LORENZO.name,
        actor_user_id=LORENZO.user_id,
    )


def test_that_are_signed_are_in_force() -> None:
    """The control."""
    assert terms_in_force() == {**FIRST_TERMS, State.IN_REVIEW: SIGNED}
    assert faults() == []


def test_of_unsigned_rows_are_not_in_force() -> None:
    """The term before stays, or the default; row and record are named."""
    with as_web():
        for state in (State.IN_REVIEW, State.REJECTED):
            record_entry(forged(state).entry, at=LATER, actor=UNSIGNED)

    assert terms_in_force() == {**FIRST_TERMS, State.IN_REVIEW: SIGNED}
    assert len(faults()) == 4


def test_that_were_replaced_do_not_come_back_as_a_copy() -> None:
    """The latest by the time that was signed is in force, not the last row."""
    replaced = DisputeTerm.objects.get()
    term = Term(5, are_working_days=True)
    set_dispute_term(state=State.IN_REVIEW, term=term, at=LATER, actor=LORENZO)
    with as_web():
        replaced.pk = None
        replaced.save(force_insert=True)

    assert terms_in_force()[State.IN_REVIEW] == term


@pytest.mark.parametrize(
    ("actor", "refusal"), [(UNSIGNED, SignatureRequired), (Actor("program"), PersonRequired)]
)
def test_are_not_set_without_a_signature(actor: Actor, refusal: type[Exception]) -> None:
    """The service writes nothing."""
    with pytest.raises(refusal):
        set_dispute_term(state=State.REJECTED, term=SIGNED, at=LATER, actor=actor)

    assert DisputeTerm.objects.count() == 1


GUARDS: Final = (
    Guard(
        rows_in_force.is_signed_row,
        "verifier.verify_row(row)",
        test_of_unsigned_rows_are_not_in_force,
        passing="None",
    ),
    Guard(
        status.terms_in_force,
        "DisputeTerm.objects.order_by('state', '-set_at', 'id')",
        test_that_were_replaced_do_not_come_back_as_a_copy,
        passing="DisputeTerm.objects.order_by('state', '-id')",
    ),
    Guard(
        service.set_dispute_term,
        "record_decision(row.entry, at=at, actor=actor)",
        partial(test_are_not_set_without_a_signature, actor=UNSIGNED, refusal=SignatureRequired),
        passing="None",
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_its_guard_an_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The forged term is in force."""
    guard.is_needed(request)
    KNOWN_TERMS.forget()

"""Resumptions that two entitled persons did not sign: settlement stays stopped."""

from collections.abc import Callable
from datetime import timedelta
from itertools import product
from typing import Any, Final
from uuid import uuid4

import pytest
from django.db import ProgrammingError, transaction

from compliance.signatures.models import DecisionSignature, EarlierDecision
from compliance.signatures.sign_decision import SignatureRequired, record_decision
from compliance.signatures.signature_verifier import NotEntitled
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entry
from compliance.trail.steps import PersonRequired
from payouts.integrity.models import IntegrityStop, IntegrityStopStep
from payouts.integrity.resume_settlement import StopsChanged
from payouts.settlement.four_eyes import FourEyesRequired, ReasonRequired
from tests.attacks.forgeries import as_owner, as_role, as_web, faults, sign_past_services
from tests.attacks.integrity.stops import (
    assert_settled,
    assert_stopped,
    resume,
    resume_by_two,
    step,
    stopped,
    two_rounds_wait,
)
from tests.casino_in_play import NOW
from tests.compliance.trail.lost_logs import give_role
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import signing

pytestmark = pytest.mark.django_db

ANNA: Final = signing("Anna Riva", 5, roles=())
"""Has a key and no role."""


@pytest.fixture
def stop() -> IntegrityStop:
    """Two rounds wait, since a check failed."""
    two_rounds_wait()
    return stopped()


def test_what_two_persons_signed_resumes(stop: IntegrityStop) -> None:
    """The control: nothing is reported."""
    resume_by_two()

    assert_settled()
    assert faults() == []


@pytest.mark.parametrize("role", [DatabaseRole.WEB, "owner"])
def test_rows_resume_nothing(stop: IntegrityStop, role: DatabaseRole | str) -> None:
    """With audit records and without signatures, in the names of two persons."""
    with as_owner() if role == "owner" else as_role(DatabaseRole.WEB):
        for sequence, actor in enumerate((GIULIA, LORENZO), start=1):
            row = step(stop, sequence, actor)
            record_entry(row.entry, at=NOW, actor=Actor(actor.name, actor.user_id))

    assert_stopped()
    assert len([fault for fault in faults() if "SETTLEMENT_RESUM" in fault]) > 0


def test_rows_from_before_signatures_resume_nothing(stop: IntegrityStop) -> None:
    """There are none: the owner of the tables lists forged records as such."""
    test_rows_resume_nothing(stop, DatabaseRole.WEB)
    for record in AuditRecord.objects.filter(action__startswith="SETTLEMENT_RESUM"):
        EarlierDecision.objects.create(record_id=record.pk)

    assert_stopped()


def test_a_copied_signature_resumes_nothing(stop: IntegrityStop) -> None:
    """Giulia's, stored again as Lorenzo's."""
    resume(by=GIULIA, seen=0)
    proposal = AuditRecord.objects.get(action="SETTLEMENT_RESUMPTION_PROPOSED")
    copied = DecisionSignature.objects.get(pk=proposal.pk)
    with as_web():
        row = step(stop, 2, LORENZO)
        actor = Actor(LORENZO.name, LORENZO.user_id)
        copied.record_id = record_entry(row.entry, at=NOW, actor=actor)
        copied.signed_with = [copied.record_id]
        copied.save(force_insert=True)

    assert_stopped()


def test_the_resumption_of_another_stop_resumes_nothing(stop: IntegrityStop) -> None:
    """Rows of this stop, with what both persons signed about an earlier one."""
    resume_by_two()
    other = stopped("another finding")
    with as_web():
        for sequence, actor in enumerate((GIULIA, LORENZO), start=1):
            step(other, sequence, actor)

    assert_stopped()


def test_a_changed_stop_stays_stopped(stop: IntegrityStop) -> None:
    """Both persons signed for other findings than the row states now."""
    resume_by_two()
    with as_owner():
        IntegrityStop.objects.update(findings=["something else"])

    assert_stopped()


@pytest.mark.parametrize(
    ("action", "second"), [("proposed", LORENZO), ("resumed", GIULIA)], ids=["twice", "alone"]
)
def test_two_proposals_or_one_person_resume_nothing(
    stop: IntegrityStop, action: str, second: Actor
) -> None:
    """All steps are signed; the trigger is gone."""
    resume(by=GIULIA, seen=0)
    with as_owner():
        row = step(stop, 2, second, action=action)
        record_decision(row.entry, at=NOW, actor=second)

    assert_stopped()


@pytest.mark.parametrize("position", [0, 1])
def test_somebody_without_a_proven_role_resumes_nothing(stop: IntegrityStop, position: int) -> None:
    """Past the service, with a signature: rows of groups give nobody a role."""
    persons = [GIULIA, LORENZO]
    persons[position] = ANNA
    with as_owner():
        for sequence, actor in enumerate(persons, start=1):
            sign_past_services(step(stop, sequence, actor).entry, at=NOW, actor=actor)

    assert_stopped()


@pytest.mark.parametrize("action", ["ACCESS_APPROVED", "ACCESS_CHANGED"])
def test_somebody_who_signed_the_own_role_resumes_nothing(stop: IntegrityStop, action: str) -> None:
    """Anna's record of a decision that two administrators take, with her signature alone."""
    entry = Entry(action, f"user:{ANNA.user_id}", {"roles_after": ["supervisor"]})
    with as_web():
        record_decision(entry, at=NOW - timedelta(days=2), actor=ANNA)
        for sequence, actor in enumerate((ANNA, LORENZO), start=1):
            sign_past_services(step(stop, sequence, actor).entry, at=NOW, actor=actor)

    assert_stopped()


@pytest.mark.parametrize(
    ("seen", "actor", "refusal"),
    [
        (1, GIULIA, FourEyesRequired),
        (0, LORENZO, StopsChanged),
        (1, ANNA, NotEntitled),
        (1, Actor("machine"), PersonRequired),
        (1, Actor(LORENZO.name, LORENZO.user_id), SignatureRequired),
    ],
    ids=["alone", "unseen", "unproven", "machine", "unsigned"],
)
def test_is_refused(stop: IntegrityStop, seen: int, actor: Actor, refusal: type[Exception]) -> None:
    """By the service: Giulia proposed it."""
    resume(by=GIULIA, seen=0)

    with pytest.raises(refusal):
        resume(by=actor, seen=seen)
    assert_stopped()


def test_a_reason_is_needed(stop: IntegrityStop) -> None:
    """Spaces are none."""
    with pytest.raises(ReasonRequired):
        resume(by=GIULIA, seen=0, note=" ")


def test_nothing_is_resumed_twice(stop: IntegrityStop) -> None:
    """Two steps are all; a third person comes later."""
    resume_by_two()
    give_role(ANNA, "compliance")

    with pytest.raises(StopsChanged):
        resume(by=ANNA, seen=2, stops=[stop.pk])


def test_an_unknown_stop_is_refused(stop: IntegrityStop) -> None:
    """Nor are none at all."""
    for stops in ([uuid4()], []):
        with pytest.raises(StopsChanged):
            resume(by=GIULIA, seen=0, stops=stops)


ATTEMPTS: Final[dict[str, Callable[[IntegrityStop], Any]]] = {
    "delete": lambda _stop: IntegrityStop.objects.all().delete(),
    "update": lambda _stop: IntegrityStop.objects.update(kind="schema"),
    "delete steps": lambda _stop: IntegrityStopStep.objects.all().delete(),
}
_BY_ROLE: Final = list(product((DatabaseRole.WEB, DatabaseRole.WORKER), ATTEMPTS))


@pytest.mark.parametrize(("role", "attempt"), _BY_ROLE)
def test_no_role_removes_or_changes_a_stop(
    stop: IntegrityStop, role: DatabaseRole, attempt: str
) -> None:
    """Neither rows nor steps."""
    with pytest.raises(ProgrammingError), transaction.atomic(), as_role(role):
        ATTEMPTS[attempt](stop)


def test_the_worker_writes_no_resumption(stop: IntegrityStop) -> None:
    """Its role has no right to."""
    with (
        pytest.raises(ProgrammingError, match="denied"),
        transaction.atomic(),
        as_role(DatabaseRole.WORKER),
    ):
        step(stop, 1, GIULIA)


def test_the_web_role_writes_no_stop(stop: IntegrityStop) -> None:
    """It could keep settlement from going on."""
    with pytest.raises(ProgrammingError, match="denied"), transaction.atomic(), as_web():
        IntegrityStop.objects.create(kind="books", at=NOW, count=1, findings=["x"])

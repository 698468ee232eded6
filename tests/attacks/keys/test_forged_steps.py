"""Steps of signing keys, and signatures, that somebody changed behind the services."""

from datetime import timedelta

import pytest
from django.db import connection

from compliance.signatures.manage_keys import reject_key, revoke_key
from compliance.signatures.models import DecisionSignature, SigningKey, SigningKeyStep
from compliance.signatures.software_key import SoftwareKey
from compliance.trail.actor import Actor
from compliance.trail.batches import batch_id
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.record import record_entry
from payouts.cases.models import Case, CaseStep
from tests.attacks.forgeries import (
    CENTS,
    approval_columns,
    as_owner,
    as_web,
    begin_execution,
    credit_columns,
    faults,
    key_of,
    nothing_moves,
    signed,
    step,
)
from tests.casino_in_play import NOW
from tests.compliance.trail.logs import KEY
from tests.payouts.cases.case_scenarios import credit_proposed, opened
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import ANOTHER, FirstKey, Person, registered, with_roles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]

DAYS_AGO = NOW - timedelta(days=3)


def approved_with(key: SoftwareKey) -> Case:
    """Giulia's proposal, approved in Lorenzo's name with a key."""
    case = credit_proposed("p-1", CENTS)
    with as_web():
        proposal = CaseStep.objects.get(case=case, sequence=2)
        signed(step(case, 3, LORENZO, **approval_columns(proposal)), key)
        begin_execution(case)
    return case


def signer_of(actor: Actor) -> FirstKey:
    """The first key of a person of the tests."""
    assert isinstance(actor.signer, FirstKey)
    return actor.signer


def key_approved_by(approver: Actor, person: Person, *, sequence: int = 1) -> None:
    """Rows of an approval with the approver's own signature, two days old, in the log."""
    at = NOW - timedelta(days=2)
    with as_owner():
        row = SigningKeyStep.objects.create(
            key=person.row,
            sequence=sequence,
            action="approved",
            note="seen",
            in_force_from=at,
            at=at,
            actor=approver.name,
            actor_user_id=approver.user_id,
        )
        record = record_entry(row.entry, at=at, actor=Actor(approver.name, approver.user_id))
    if not SigningKey.objects.filter(person_id=approver.user_id or 0).exists():
        signer_of(approver).approve()
    signed(row, key_of(approver), record=record)
    append_to_log(KEY, now=at)


class TestAKey:
    def test_that_two_other_persons_approved_signs(self) -> None:
        """The control: with the same rows and signature it pays."""
        other = registered(LORENZO.name, LORENZO.user_id or 0, at=DAYS_AGO)
        key_approved_by(GIULIA, other)
        key_approved_by(ANOTHER, other, sequence=2)

        with pytest.raises(AssertionError):
            nothing_moves(approved_with(other.key))

    def test_that_its_holder_approved_signs_nothing(self) -> None:
        """With an older key, where the trigger is gone."""
        other = registered(LORENZO.name, LORENZO.user_id or 0, at=DAYS_AGO)
        key_approved_by(LORENZO, other)
        key_approved_by(ANOTHER, other, sequence=2)

        assert "whose approval is not signed" in nothing_moves(approved_with(other.key))

    def test_that_one_person_approved_twice_signs_nothing(self) -> None:
        """Where the trigger is gone."""
        other = registered(LORENZO.name, LORENZO.user_id or 0, at=DAYS_AGO)
        for sequence in (1, 2):
            key_approved_by(GIULIA, other, sequence=sequence)

        assert "whose approval is not signed" in nothing_moves(approved_with(other.key))

    @pytest.mark.parametrize("number", [1, 2])
    def test_that_persons_without_a_role_approved_signs_nothing(self, number: int) -> None:
        """One or both look after payments; the web role could write the rows."""
        other = registered(LORENZO.name, LORENZO.user_id or 0, at=DAYS_AGO)
        clerks = [with_roles(name, n, "payments") for n, name in ((41, "Ida Po"), (42, "Ugo Po"))]
        approvers = [*clerks[:number], ANOTHER][:2]
        for sequence, approver in enumerate(approvers, start=1):
            key_approved_by(approver, other, sequence=sequence)

        assert "whose approval is not signed" in nothing_moves(approved_with(other.key))

    def test_that_was_rejected_signs_nothing(self) -> None:
        """Also if an accomplice signs afterwards."""
        other = registered(LORENZO.name, LORENZO.user_id or 0, at=DAYS_AGO)
        reject_key(key_id=other.row.id, note="not his", at=DAYS_AGO, actor=GIULIA)
        key_approved_by(ANOTHER, other, sequence=2)

        assert "not in force then" in nothing_moves(approved_with(other.key))

    def test_that_was_revoked_twice_ends_with_the_first_time(self) -> None:
        """A later revocation by SQL gives nothing back."""
        lost = SigningKey.objects.get(person_id=LORENZO.user_id or 0)
        revoke_key(key_id=lost.pk, note="left", at=NOW - timedelta(hours=1), actor=GIULIA)
        with as_web():
            SigningKeyStep.objects.create(
                key=lost,
                sequence=3,
                action="revoked",
                note="left",
                at=NOW + timedelta(hours=1),
                actor=GIULIA.name,
                actor_user_id=GIULIA.user_id,
            )

        assert "not in force then" in nothing_moves(approved_with(key_of(LORENZO)))


class TestASignature:
    def test_of_another_amount_than_the_row_says_pays_nothing(self) -> None:
        """A web host shows both persons 1.00, and stores 5,000,000.00."""
        with as_web():
            case = opened("goodwill", actor=Actor("Anna Riva", 5))
            proposal = step(case, 2, GIULIA, **credit_columns())
            approval = step(case, 3, LORENZO, **approval_columns(proposal))
            for row, actor in ((proposal, GIULIA), (approval, LORENZO)):
                shown = CaseStep.objects.select_related("case", "customer").get(pk=row.pk)
                shown.effect_digest = bytes(credit_columns(100)["effect_digest"])
                if row == proposal:
                    shown.cents = 100
                signed(shown, key_of(actor))
            begin_execution(case)

        assert "found no audit record of it" in nothing_moves(case)

    def test_that_claims_a_record_that_is_not_there_pays_nothing(self) -> None:
        """Nor does it stop the verification."""
        case = approved_with(key_of(LORENZO))
        with as_owner():
            made = DecisionSignature.objects.latest("record_id")
            DecisionSignature.objects.filter(pk=made.pk).update(
                signed_with=[made.record_id, batch_id(NOW, number=1 << 41)]
            )

        assert "found a signature of other records" in nothing_moves(case)

    def test_with_a_key_that_is_not_there_pays_nothing(self) -> None:
        """Nor does it stop the verification."""
        case = approved_with(key_of(LORENZO))
        with as_owner():
            made = DecisionSignature.objects.latest("record_id")
            DecisionSignature.objects.filter(pk=made.pk).update(key_id="e" * 64)

        assert "found a signature with an unknown key" in nothing_moves(case)
        with as_owner():  # what the end of the test could not check otherwise
            DecisionSignature.objects.filter(pk=made.pk).delete()

    def test_of_a_record_that_was_removed_is_named(self) -> None:
        """By the owner of the tables."""
        record = DecisionSignature.objects.latest("record_id").record_id
        with as_owner(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM trail_auditrecord WHERE id = %s", [record])

        assert f"signature of record {record}: found no such record" in faults()

"""Verification of signatures: rows that SQL wrote without a person's key are named."""

from datetime import timedelta

import pytest
from django.db import connection
from pytest_django import Settings

from compliance.signatures.manage_keys import approve_key, reject_key, revoke_key
from compliance.signatures.models import DecisionSignature, SigningKey, SigningKeyStep
from compliance.signatures.signed_text import text_of_record
from compliance.signatures.software_key import SoftwareKey
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry, record_entry
from tests.signers import ANOTHER, AT, Person, approved, registered, rooted

pytestmark = pytest.mark.django_db

LATER = AT + timedelta(hours=25)


@pytest.fixture
def giulia() -> Person:
    """Holds a first key."""
    return rooted("Giulia", 1)


@pytest.fixture
def marco(giulia: Person) -> Person:
    """Holds a key that Giulia approved."""
    return approved("Marco", 2, by=giulia)


def faults() -> list[str]:
    """What the verification names."""
    found: list[str] = []
    verify_signatures(found.append)
    return found


class TestSignedDecisions:
    def test_are_right(self, giulia: Person, marco: Person) -> None:
        """An approval, a rejection and a revocation, over a chain of three keys."""
        paolo = approved("Paolo", 3, by=marco, at=LATER)
        reject_key(key_id=registered("Anna", 4).row.id, note="no", at=LATER, actor=marco.actor)
        revoke_key(
            key_id=giulia.row.id, note="left", at=LATER + timedelta(hours=25), actor=paolo.actor
        )

        found: list[str] = []
        summary = verify_signatures(found.append)

        assert found == []
        assert summary == (
            "6 signed decisions, 0 from before signatures, 2 signing keys approved on the host"
        )

    def test_stay_right_after_their_key_was_revoked(self, giulia: Person, marco: Person) -> None:
        """What was signed before remains signed."""
        reject_key(key_id=registered("Anna", 4).row.id, note="no", at=LATER, actor=marco.actor)
        revoke_key(
            key_id=marco.row.id, note="lost", at=LATER + timedelta(hours=1), actor=giulia.actor
        )

        assert faults() == []

    def test_by_first_keys_that_the_environment_does_not_name_are_reported(
        self, giulia: Person, marco: Person, settings: Settings
    ) -> None:
        """A key that SQL inserted as a first one approves nobody."""
        settings.SIGNING_KEY_ROOTS = [marco.row.id]

        assert len(faults()) == 5  # the first keys, the one that they approved, the approvals
        settings.SIGNING_KEY_ROOTS = [giulia.row.id, SigningKey.objects.get(person_id=9_001).pk]
        assert faults() == []


class TestAForgery:
    def test_without_a_signature_is_reported(self, giulia: Person) -> None:
        """Step and record written by SQL, for a key of the forger's."""
        forger = registered("Marco", 2)
        approve_by_sql(forger, Actor("Giulia", 1))

        assert faults() == [
            f"SIGNING_KEY_APPROVED of {forger.row.subject} by Giulia: found no signature",
            f"{forger.row.subject} of Marco, approved by Giulia: found no signature",
        ]

    def test_with_the_forgers_own_key_is_reported(self, giulia: Person) -> None:
        """Signed in Giulia's name with the key that is to be approved."""
        forger = registered("Marco", 2)
        record = approve_by_sql(forger, Actor("Giulia", 1))
        sign_by_sql(record, forger.key, key_id=forger.row.id)

        assert faults() == [
            (
                f"SIGNING_KEY_APPROVED of {forger.row.subject} by Giulia: "
                "found a signature with another person's key"
            ),
            (
                f"{forger.row.subject} of Marco, approved by Giulia: "
                "found a signature with another person's key"
            ),
        ]

    def test_that_swaps_the_key_row_is_reported(self, giulia: Person) -> None:
        """The forger's public key in a row of Giulia's, approved by nobody."""
        stolen = registered("Giulia", 1)
        forger = registered("Marco", 2)
        record = approve_by_sql(forger, Actor("Giulia", 1))
        sign_by_sql(record, stolen.key, key_id=stolen.row.id)

        assert len(faults()) == 2
        assert "not in force then" in faults()[0]

    def test_that_replays_a_signature_is_reported(self, giulia: Person, marco: Person) -> None:
        """Giulia's signature of Marco's key, stored for the forger's."""
        forger = registered("Paolo", 3)
        record = approve_by_sql(forger, Actor("Giulia", 1))
        signed = DecisionSignature.objects.get(key=giulia.row)
        signed.record_id, signed.signed_with = record.id, [record.id]
        signed.save(force_insert=True)

        assert "found a signature of another text" in faults()[0]

    def test_by_two_keys_that_approve_each_other_is_reported(self) -> None:
        """A circle reaches no first key."""
        one, two = registered("Anna", 4), registered("Bruno", 5)
        for key, signer in ((one, two), (two, one)):
            record = approve_by_sql(key, Actor(signer.actor.name, signer.actor.user_id))
            sign_by_sql(record, signer.key, key_id=signer.row.id)
            before = AT - timedelta(days=2)
            approve_key(key_id=key.row.id, note="seen", at=before, actor=ANOTHER)

        assert len([fault for fault in faults() if "no signed approval" in fault]) == 2

    def test_before_the_key_was_in_force_is_reported(self, giulia: Person, marco: Person) -> None:
        """A decision that is dated within the decision delay."""
        forger = registered("Paolo", 3)
        record = approve_by_sql(forger, Actor("Marco", 2))
        sign_by_sql(record, marco.key, key_id=marco.row.id)

        assert "not in force then" in faults()[0]

    def test_that_removes_a_signature_is_reported(self, giulia: Person, marco: Person) -> None:
        """By somebody who may disable triggers."""
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE signatures_decisionsignature DISABLE TRIGGER USER")
            cursor.execute("DELETE FROM signatures_decisionsignature")

        assert len(faults()) == 3


def test_a_key_of_the_demo_proves_nothing_elsewhere(settings: Settings) -> None:
    """A database that is copied from a demo."""
    settings.SOFTWARE_KEYS = True
    giulia = rooted("Giulia", 1, is_software=True)
    approved("Marco", 2, by=giulia)
    assert faults() == []

    settings.SOFTWARE_KEYS = False

    assert any("a key of the demo" in fault for fault in faults())


def approve_by_sql(person: Person, actor: Actor) -> AuditRecord:
    """The rows of an approval, as the services write them, without a signature."""
    SigningKeyStep.objects.create(
        key=person.row,
        sequence=1,
        action="approved",
        note="seen",
        at=AT,
        actor=actor.name,
        actor_user_id=actor.user_id,
    )
    details = {
        "key": person.row.id,
        "account": person.row.person_id,
        "person": person.row.person_name,
        "name": person.row.label,
        "note": "seen",
    }
    entry = Entry("SIGNING_KEY_APPROVED", person.row.subject, details)
    return AuditRecord.objects.get(id=record_entry(entry, at=AT, actor=actor))


def sign_by_sql(record: AuditRecord, key: SoftwareKey, *, key_id: str) -> None:
    """A signature of the record by any key, stored as if it were that of ``key_id``."""
    signed = key.sign(text_of_record(record))
    DecisionSignature.objects.create(
        record_id=record.id,
        key_id=key_id,
        authenticator_data=signed.authenticator_data,
        client_data=signed.client_data,
        signature=signed.signature,
    )

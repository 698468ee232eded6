"""Signing keys: registered by their holder, approved and revoked by signatures."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from pytest_django import Settings

from compliance.signatures.manage_keys import (
    ApprovedAlready,
    EnoughRoots,
    HolderCannotApprove,
    KeyDecided,
    KeyKnown,
    NoteRequired,
    approve_key,
    register_key,
    reject_key,
    revoke_key,
    root_key,
)
from compliance.signatures.models import DecisionSignature, SigningKey, SigningKeyStep
from compliance.signatures.queries import KeyNotInForce, KeyStatus, status_of_key
from compliance.signatures.sign_decision import SignatureRequired
from compliance.trail.actor import Actor
from tests.compliance.trail.audit_records import audit_records
from tests.signers import ANOTHER, AT, HOST, Person, approved, registered, rooted

pytestmark = pytest.mark.django_db

LATER = AT + timedelta(hours=25)
SOON = timedelta(seconds=1)


@pytest.fixture
def giulia() -> Person:
    """Holds a first key."""
    return rooted("Giulia", 1)


class TestAKey:
    def test_waits_for_another_person(self, giulia: Person) -> None:
        """It signs nothing before."""
        marco = registered("Marco", 2)

        assert status(marco) is KeyStatus.PENDING
        with pytest.raises(KeyNotInForce, match="pending"):
            revoke_key(key_id=giulia.row.id, note="lost", at=AT, actor=marco.actor)

    def test_signs_a_day_after_its_approval(self, giulia: Person, settings: Settings) -> None:
        """The decision delay."""
        marco = approved("Marco", 2, by=giulia)
        paolo = registered("Paolo", 3)

        just_before = AT + settings.DECISION_DELAY - timedelta(microseconds=1)
        assert status(marco) is KeyStatus.DELAYED
        with pytest.raises(KeyNotInForce, match="delayed"):
            approve_key(key_id=paolo.row.id, note="seen", at=just_before, actor=marco.actor)

        approve_key(
            key_id=paolo.row.id, note="seen", at=AT + settings.DECISION_DELAY, actor=marco.actor
        )
        assert SigningKeyStep.objects.get(key=paolo.row).actor == "Marco"

    def test_is_not_approved_without_a_signature(self, giulia: Person) -> None:
        """The text to be signed is in the refusal; nothing is written."""
        marco = registered("Marco", 2)

        with pytest.raises(SignatureRequired) as refusal:
            approve_key(key_id=marco.row.id, note="seen", at=AT, actor=Actor("Giulia", 1))

        assert f'"SIGNING_KEY_APPROVED","{marco.row.subject}"' in refusal.value.text
        assert not SigningKeyStep.objects.filter(key=marco.row).exists()
        assert audit_records("SIGNING_KEY_APPROVED") == []

    def test_is_not_approved_by_its_holder(self, giulia: Person) -> None:
        """Not under another account of the same name either, and not by SQL."""
        other = registered("Giulia", 1)

        for actor in (giulia.actor, giulia.actor._replace(user_id=9), HOST):
            with pytest.raises(HolderCannotApprove):
                approve_key(key_id=other.row.id, note="mine", at=AT, actor=actor)
        with pytest.raises(IntegrityError, match="another has to approve"), transaction.atomic():
            SigningKeyStep.objects.create(
                key=other.row, sequence=1, action="approved", at=AT, actor="giulia", actor_user_id=9
            )

    def test_is_not_approved_twice_by_one_person(self, giulia: Person) -> None:
        """Not under another account of the same name either."""
        marco = registered("Marco", 2)
        approve_key(key_id=marco.row.id, note="seen", at=AT, actor=giulia.actor)

        assert status(marco) is KeyStatus.PENDING
        with pytest.raises(ApprovedAlready):
            approve_key(key_id=marco.row.id, note="again", at=AT + SOON, actor=giulia.actor)
        twin = giulia.actor._replace(name="GIULIA")
        with pytest.raises(ApprovedAlready):
            approve_key(key_id=marco.row.id, note="again", at=AT + SOON, actor=twin)

    def test_is_registered_once(self, giulia: Person) -> None:
        """By whomever."""
        with pytest.raises(KeyKnown):
            register_key(
                public=giulia.key.public,
                credential_id=b"1",
                label="",
                at=AT,
                actor=Actor("Marco", 2),
            )
        with pytest.raises(HolderCannotApprove):
            register_key(public=giulia.key.public, credential_id=b"1", label="", at=AT, actor=HOST)

    def test_is_revoked_for_good(self, giulia: Person) -> None:
        """By its holder or another person; it is never approved again."""
        marco = approved("Marco", 2, by=giulia)

        revoke_key(key_id=marco.row.id, note="lost", at=LATER, actor=marco.actor)

        assert status(marco) is KeyStatus.REVOKED
        with pytest.raises(KeyNotInForce, match="revoked"):
            revoke_key(key_id=giulia.row.id, note="lost", at=LATER + SOON, actor=marco.actor)
        for decide in (approve_key, reject_key, revoke_key):
            with pytest.raises(KeyDecided, match="revoked"):
                decide(key_id=marco.row.id, note="found", at=LATER + SOON, actor=giulia.actor)

    def test_is_rejected_for_good(self, giulia: Person) -> None:
        """With a reason."""
        marco = registered("Marco", 2)

        with pytest.raises(NoteRequired):
            reject_key(key_id=marco.row.id, note=" ", at=AT, actor=giulia.actor)
        reject_key(key_id=marco.row.id, note="not his", at=AT, actor=giulia.actor)

        assert status(marco) is KeyStatus.REJECTED
        with pytest.raises(KeyDecided, match="rejected"):
            approve_key(key_id=marco.row.id, note="his", at=AT, actor=giulia.actor)

    def test_of_the_demo_signs_in_a_demo_only(self, giulia: Person, settings: Settings) -> None:
        """Its private part lies in a file."""
        marco = registered("Marco", 2, is_software=True)
        for approver in (giulia.actor, ANOTHER):
            approve_key(key_id=marco.row.id, note="demo", at=AT, actor=approver)

        with pytest.raises(KeyNotInForce, match="key of the demo"):
            revoke_key(key_id=giulia.row.id, note="demo", at=LATER, actor=marco.actor)
        settings.SOFTWARE_KEYS = True
        revoke_key(key_id=giulia.row.id, note="demo", at=LATER, actor=marco.actor)


class TestTheFirstKeys:
    def test_are_two_persons(self, giulia: Person) -> None:
        """The host approves no third one; a second key of one of them does not count."""
        second = registered("Giulia", 1)
        root_key(key_id=second.row.id, at=AT, actor=HOST)
        rooted("Marco", 2)

        third = registered("Paolo", 3)
        with pytest.raises(EnoughRoots):
            root_key(key_id=third.row.id, at=AT, actor=HOST)

    def test_are_replaced_when_one_was_revoked(self, giulia: Person) -> None:
        """Else the holder of the last key would approve alone for ever."""
        marco = rooted("Marco", 2)
        revoke_key(key_id=marco.row.id, note="lost", at=AT, actor=giulia.actor)

        assert status(rooted("Paolo", 3, at=AT + SOON)) is KeyStatus.IN_FORCE


class TestTheTables:
    def test_cannot_be_changed(self, giulia: Person) -> None:
        """Append-only, like all facts."""
        approved("Marco", 2, by=giulia)
        for model, change in (
            (SigningKey, {"person_id": 3}),
            (SigningKeyStep, {"actor": "Paolo"}),
            (DecisionSignature, {"signature": b""}),
        ):
            assert model._default_manager.exists()
            with pytest.raises(DatabaseError), transaction.atomic():
                model._default_manager.update(**change)
            with pytest.raises(DatabaseError), transaction.atomic():
                model._default_manager.all().delete()


def status(person: Person) -> KeyStatus:
    """The status of the person's key a second after it was approved."""
    key = SigningKey.objects.prefetch_related("steps").get(pk=person.row.id)
    return status_of_key(key, at=AT + SOON)

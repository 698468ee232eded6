"""Requests and decisions about access that nobody signed: not approved, and named."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.test import RequestFactory
from django.utils import timezone

from casino.access import requests
from casino.access.models import AccessDecision, AccessRequest
from casino.access.requests import (
    Kind,
    RequestNotSigned,
    SamePerson,
    approve_access,
    reject_access,
    request_access,
)
from casino.access.session_store import SessionStore
from compliance.signatures.models import DecisionSignature, EarlierDecision
from compliance.signatures.queries import KeyNotInForce
from compliance.signatures.sign_decision import SignatureRequired
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.storage.database_roles.role import DatabaseRole
from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from compliance.trail.people import actor_of
from compliance.trail.record import record_entry
from tests.attacks.forgeries import as_role, as_web
from tests.attacks.guards import Attack, succeeds_without
from tests.casino.backoffice.people.people import somebody
from tests.casino_in_play import NOW
from tests.signers import signing

pytestmark = pytest.mark.django_db

LOST: Final = "He lost his phone"


@pytest.fixture(autouse=True)
def clerk(db: None) -> User:
    """A payments clerk, whose second factor the forger wants to reset; two administrators."""
    somebody("ada", "administrator")
    somebody("bruno", "administrator")
    return somebody("clerk", "payments")


def request_by(name: str) -> HttpRequest:
    """A request of this user."""
    request = RequestFactory().post("/")
    request.user, request.session = User.objects.get(username=name), SessionStore()
    return request


def signer(name: str) -> Actor:
    """The user with a key of their own."""
    user = User.objects.get(username=name)
    return signing(actor_of(user).name, user.pk)


def by(name: str, actor: Actor | None = None) -> dict[str, Any]:
    """Time and actor of a decision."""
    return {"at": timezone.now(), "actor": actor or signer(name)}


def requested(clerk: User) -> AccessRequest:
    """Ada's real request."""
    request_access(request_by("ada"), clerk, Kind.FACTORS, reason=LOST, **by("ada"))
    return AccessRequest.objects.get()


def forged(clerk: User) -> AccessRequest:
    """A row of a request in Ada's name."""
    ada = User.objects.get(username="ada")
    return AccessRequest.objects.create(
        kind=Kind.FACTORS,
        person=clerk,
        roles_before=["payments"],
        roles_after=["payments"],
        reason=LOST,
        requested_by=ada,
        requested_at=NOW,
    )


def faults() -> list[str]:
    """What ``verify_trail`` names about signed decisions."""
    found: list[str] = []
    verify_rows(found.append)
    verify_signatures(found.append)
    return found


class TestARequest:
    def test_that_two_administrators_signed_is_carried_out(self, clerk: User) -> None:
        """The control; the name of an administrator may change afterwards."""
        row = requested(clerk)

        approve_access(request_by("bruno"), row.pk, **by("bruno"))
        User.objects.filter(username="ada").update(first_name="Adele")

        assert AuditRecord.objects.filter(action="FACTORS_RESET").exists()
        with as_role(DatabaseRole.READER):
            assert faults() == []

    def test_of_an_unsigned_row_is_not_approved(self, clerk: User) -> None:
        """Row and audit record by SQL of the web role, and an honest second administrator."""
        with as_web():
            row = forged(clerk)
            record_entry(row.entry, at=NOW, actor=Actor("ada", row.requested_by_id))

        with pytest.raises(RequestNotSigned):
            approve_access(request_by("bruno"), row.pk, **by("bruno"))
        reject_access(request_by("bruno"), row.pk, note="nobody asked", **by("bruno"))

        assert len(faults()) == 2  # the row, and its record

    def test_with_the_signature_of_another_text_is_not_approved(self, clerk: User) -> None:
        """Ada's signature of another request, which was rejected."""
        other = requested(clerk)
        signature = DecisionSignature.objects.latest("record_id")
        reject_access(request_by("bruno"), other.pk, note="no", **by("bruno"))
        with as_web():
            row = forged(clerk)
            ada = Actor("ada", row.requested_by_id)
            signature.record_id = record_entry(row.entry, at=NOW, actor=ada)
            signature.signed_with = [signature.record_id]
            signature.save(force_insert=True)

        with pytest.raises(RequestNotSigned):
            approve_access(request_by("bruno"), row.pk, **by("bruno"))

        assert all("another text" in fault for fault in faults())
        assert len(faults()) == 2

    def test_whose_approval_nobody_signed_is_named(self, clerk: User) -> None:
        """Ada's real request, approved in Bruno's name."""
        row = requested(clerk)
        with as_web():
            AccessDecision.objects.create(
                request=row,
                is_approved=True,
                decided_by=User.objects.get(username="bruno"),
                decided_at=NOW,
            )

        [fault] = faults()
        assert fault.startswith(f"row of ACCESS_APPROVED of user:{clerk.pk}")
        assert "found no audit record of it" in fault

    @pytest.mark.parametrize("key_of", [None, "bruno"])
    def test_is_not_made_without_the_requesters_signature(
        self, clerk: User, key_of: str | None
    ) -> None:
        """None, or that of a colleague's key: nothing is written."""
        actor = actor_of(User.objects.get(username="ada"))
        if key_of is not None:
            actor = actor._replace(signer=signer(key_of).signer)

        with pytest.raises((SignatureRequired, KeyNotInForce)):
            request_access(request_by("ada"), clerk, Kind.FACTORS, reason=LOST, **by("ada", actor))

        assert not AccessRequest.objects.exists()

    def test_that_concerns_no_deciding_role_is_signed_as_well(self, clerk: User) -> None:
        """One administrator carries it out, by signature."""
        auditor = somebody("auditor", "auditor")
        request = request_by("ada")
        unsigned = actor_of(User.objects.get(username="ada"))

        with pytest.raises(SignatureRequired):
            request_access(
                request, auditor, Kind.PASSWORD, reason="forgotten", **by("ada", unsigned)
            )
        request_access(request, auditor, Kind.PASSWORD, reason="forgotten", **by("ada"))

        assert AuditRecord.objects.filter(action="PASSWORD_RESET").count() == 1
        record = AuditRecord.objects.get(action="ACCESS_CHANGED")
        assert DecisionSignature.objects.filter(pk=record.pk).exists()
        assert faults() == []

    def test_is_not_approved_by_a_second_account_of_its_requester(self, clerk: User) -> None:
        """The same name, written otherwise."""
        User.objects.filter(username="ada").update(first_name="Ada", last_name="Riva")
        other = somebody("ada-2", "administrator", first_name="ADA ", last_name="riva")
        row = requested(clerk)

        with pytest.raises(SamePerson):
            approve_access(request_by(other.username), row.pk, **by(other.username))

    def test_from_before_signatures_counts(self, clerk: User) -> None:
        """Its record was written an instant later, and named the number of the request."""
        row = forged(clerk)
        entry = row.entry._replace(details={"request": row.pk, "kind": "factors"})
        at = NOW + timedelta(milliseconds=3)
        record = record_entry(entry, at=at, actor=Actor("ada", row.requested_by_id))
        EarlierDecision.objects.create(record_id=record)

        approve_access(request_by("bruno"), row.pk, **by("bruno"))

        assert faults() == []


@pytest.mark.parametrize(
    "attack",
    [
        TestARequest.test_of_an_unsigned_row_is_not_approved,
        TestARequest.test_with_the_signature_of_another_text_is_not_approved,
    ],
)
def test_without_the_guard_it_is_approved(clerk: User, attack: Attack) -> None:
    """The forged request is carried out."""
    succeeds_without(requests, "_require_signed", attack, TestARequest(), clerk)

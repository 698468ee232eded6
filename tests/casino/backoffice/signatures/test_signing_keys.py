"""Signing keys are approved and revoked on a page, by the signature of another person's key."""

from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from casino.access.models import AccessNotice
from casino.access.software_keys import make_software_key
from compliance.signatures.manage_keys import approve_key, register_key, root_key
from compliance.signatures.models import DecisionSignature, SigningKeyStep
from compliance.signatures.software_key import SoftwareKey
from compliance.trail.people import actor_of
from tests.casino.backoffice.people.people import browser_of, somebody
from tests.compliance.signatures.test_assertions import answer_of
from tests.compliance.trail.audit_records import audit_records
from tests.signers import ANOTHER, HOST, Person, give_earlier_roles, registered, rooted

pytestmark = pytest.mark.django_db

PAGE: Final = "/admin/people/signing-keys/"


@pytest.fixture(autouse=True)
def _keys_in_files() -> None:
    """No key in a file: people sign with authenticators."""


@pytest.fixture
def ada(db: None) -> User:
    """An administrator with a first key."""
    return somebody("ada", "administrator", email="ada@casino.example")


@pytest.fixture
def at_ada(ada: User) -> Client:
    """Her browser."""
    return browser_of(ada)


@pytest.fixture
def key(ada: User) -> SoftwareKey:
    """Her key in force."""
    return key_of(ada).key


@pytest.fixture
def clerk(db: None) -> Person:
    """A payments clerk whose key waits for approval."""
    user = somebody("clerk", "payments", email="clerk@casino.example")
    return registered("clerk", user.pk, at=timezone.now())


class TestAWaitingKey:
    def test_is_approved_by_a_signature(
        self, at_ada: Client, key: SoftwareKey, clerk: Person
    ) -> None:
        """Record and signature name the administrator; the holder and compliance are told."""
        assert "Awaiting approval" in at_ada.get(PAGE).content.decode()

        answer = decide(at_ada, key, clerk, "approve")

        assert "Decision recorded." in answer.content.decode()
        [(actor, subject, details)] = audit_records("SIGNING_KEY_APPROVED")
        assert (actor, subject) == ("ada", clerk.row.subject)
        assert (details["person"], details["note"]) == ("clerk", "seen at the desk")
        assert DecisionSignature.objects.count() == 1
        assert AccessNotice.objects.filter(action="SIGNING_KEY_APPROVED").exists()
        page = at_ada.get(PAGE).content.decode()
        assert "One more person must approve it." in page
        assert "Another person must decide." in page
        approve_key(key_id=clerk.row.pk, note="seen", at=timezone.now(), actor=ANOTHER)
        assert "In force soon" in at_ada.get(PAGE).content.decode()

    def test_is_rejected_by_a_signature(
        self, at_ada: Client, key: SoftwareKey, clerk: Person
    ) -> None:
        """It never signs."""
        decide(at_ada, key, clerk, "reject")

        assert [step.action for step in SigningKeyStep.objects.filter(key=clerk.row)] == [
            "rejected"
        ]

    def test_is_not_approved_without_a_signature(
        self, at_ada: Client, key: SoftwareKey, clerk: Person
    ) -> None:
        """A form without JavaScript says what is needed."""
        answer = at_ada.post(address_of(clerk, "approve"), {"reason": "seen"}, follow=True)

        assert "security key. This needs JavaScript" in answer.content.decode()
        assert not SigningKeyStep.objects.filter(key=clerk.row).exists()

    def test_needs_a_key_of_the_approver(self, at_ada: Client, clerk: Person) -> None:
        """Without one there is nothing to ask the browser for."""
        answer = prepare(at_ada, clerk, "approve", reason="seen")

        assert answer.status_code == 409
        assert "no signing key in force" in answer.json()["error"]

    @pytest.mark.usefixtures("key")
    def test_needs_a_key_whose_approval_counts(
        self, at_ada: Client, clerk: Person, settings: Settings
    ) -> None:
        """The workers would refuse a decision that goes back to no first key they know."""
        settings.SIGNING_KEY_ROOTS = []

        answer = prepare(at_ada, clerk, "approve", reason="seen")

        assert answer.status_code == 409
        assert "SIGNING_KEY_ROOTS" in answer.json()["error"]

    @pytest.mark.parametrize("stolen", ["decision", "reason", "key", "time"])
    def test_is_not_approved_by_a_signature_of_something_else(
        self, at_ada: Client, key: SoftwareKey, clerk: Person, stolen: str
    ) -> None:
        """The signature of a rejection, of another reason or key, or of ten minutes ago."""
        another = registered("Paolo", 99, at=timezone.now())
        prepared = prepare(
            at_ada,
            another if stolen == "key" else clerk,
            "reject" if stolen == "decision" else "approve",
            reason="another" if stolen == "reason" else "seen",
        ).json()
        if stolen == "time":
            earlier = timezone.now() - timedelta(minutes=10)
            prepared["fields"]["decided_at"] = earlier.isoformat()

        answer = send(at_ada, key, clerk, "approve", prepared, reason="seen")

        assert "The signature is not valid for this decision" in answer.content.decode()
        assert not SigningKeyStep.objects.filter(key=clerk.row).exists()

    def test_that_cannot_be_approved_shows_why_once(
        self, at_ada: Client, key: SoftwareKey, clerk: Person
    ) -> None:
        """Beside the form, which keeps what was entered; not again on the next page."""
        prepared = prepare(at_ada, clerk, "approve", reason=" ")

        assert prepared.json() == {"error": "Enter a reason."}
        assert "Enter a reason." not in at_ada.get(PAGE).content.decode()

    def test_is_not_approved_twice_by_one_signature(
        self, at_ada: Client, key: SoftwareKey, clerk: Person
    ) -> None:
        """A replayed form."""
        prepared = prepare(at_ada, clerk, "approve", reason="seen").json()

        send(at_ada, key, clerk, "approve", prepared, reason="seen")
        again = send(at_ada, key, clerk, "approve", prepared, reason="seen")

        assert "You approved this key already" in again.content.decode()
        assert SigningKeyStep.objects.filter(key=clerk.row).count() == 1

    def test_is_not_approved_in_a_stolen_session(
        self, at_ada: Client, key: SoftwareKey, clerk: Person
    ) -> None:
        """The thief's own authenticator, and the clerk's, sign nothing for ada."""
        prepared = prepare(at_ada, clerk, "approve", reason="seen").json()

        for thief in (SoftwareKey.generate(), clerk.key):
            answer = send(at_ada, thief, clerk, "approve", prepared, reason="seen")
            assert "does not sign for you" in answer.content.decode()
        assert not SigningKeyStep.objects.filter(key=clerk.row).exists()

    def test_is_not_approved_by_its_holder(self, ada: User, key: SoftwareKey) -> None:
        """An administrator with a second key."""
        own = registered("ada", ada.pk, at=timezone.now())
        browser = browser_of(ada)

        assert "Another person must decide." in browser.get(PAGE).content.decode()
        answer = browser.post(address_of(own, "approve"), {"reason": "mine"}, follow=True)

        assert "not its holder" in answer.content.decode()


class TestAKeyInForce:
    def test_is_revoked_by_a_signature(
        self, at_ada: Client, ada: User, key: SoftwareKey, settings: Settings
    ) -> None:
        """Here that of its holder."""
        settings.DECISION_DELAY = timedelta(0)
        own = Person(actor_of(ada), key, rooted_row(ada))

        decide(at_ada, key, own, "revoke")

        assert "Revoked" in at_ada.get(PAGE).content.decode()

    def test_of_the_demo_signs_when_the_form_is_sent(
        self, ada: User, clerk: Person, settings: Settings, tmp_path: Path
    ) -> None:
        """From its file, without a question to the browser."""
        settings.SOFTWARE_KEYS, settings.VAR_DIR = True, tmp_path
        software = make_software_key(ada)
        row = register_key(
            public=software.public,
            credential_id=software.credential_id,
            label="demo",
            is_software=True,
            at=timezone.now(),
            actor=actor_of(ada),
        )
        root_key(key_id=row.id, at=timezone.now(), actor=HOST)
        give_earlier_roles(ada.pk)
        give_earlier_roles(ada.pk)
        browser = browser_of(ada)

        assert "publicKey" not in prepare(browser, clerk, "approve", reason="seen").json()
        assert not SigningKeyStep.objects.filter(key=clerk.row).exists()
        browser.post(address_of(clerk, "approve"), {"reason": "seen"})

        assert SigningKeyStep.objects.get(key=clerk.row).action == "approved"

    def test_is_shown_on_the_page_security(self, at_ada: Client, key: SoftwareKey) -> None:
        """With its status."""
        page = at_ada.get("/admin/security/").content.decode()

        assert "Signing keys" in page
        assert "In force" in page


class TestTheFirstKeys:
    def test_are_approved_by_a_command(self, clerk: Person) -> None:
        """It prints the whole id; a short or unknown one is refused."""
        output = StringIO()

        with pytest.raises(CommandError, match="found 0 keys"):
            call_command("approve_first_signing_key", "0" * 16)
        with pytest.raises(CommandError, match="needed one"):
            call_command("approve_first_signing_key", clerk.row.id[:8])
        call_command("approve_first_signing_key", clerk.row.short_id, stdout=output)
        with pytest.raises(CommandError, match="needed pending"):
            call_command("approve_first_signing_key", clerk.row.short_id)

        assert output.getvalue() == f"approved for clerk: {clerk.row.id}\n"
        assert " on " in audit_records("SIGNING_KEY_ROOTED")[0][0]


def key_of(user: User) -> Person:
    """A first key of this person."""
    return rooted(actor_of(user).name, user.pk, at=timezone.now())


def rooted_row(user: User) -> Any:
    """The row of the person's key."""
    return SigningKeyStep.objects.get(key__person_id=user.pk).key


def address_of(person: Person, decision: str) -> str:
    """Where the decision is sent."""
    return f"{PAGE}{person.row.id}/{decision}/"


def prepare(browser: Client, person: Person, decision: str, **form: str) -> Any:
    """The answer to the first request of a signed form."""
    headers = {"X-Sabot-Signature": "prepare"}
    return browser.post(address_of(person, decision), form, headers=headers)


def send(
    browser: Client,
    key: SoftwareKey,
    person: Person,
    decision: str,
    prepared: dict[str, Any],
    **form: str,
) -> Any:
    """Sends the form with an assertion over the challenge that the server gave."""
    options = prepared["publicKey"]
    assertion = answer_of(key.answer(options["challenge"]))
    signed = {**form, "assertion": assertion, **prepared["fields"]}
    return browser.post(address_of(person, decision), signed, follow=True)


def decide(browser: Client, key: SoftwareKey, person: Person, decision: str) -> Any:
    """A signed decision, as the browser takes it."""
    prepared = prepare(browser, person, decision, reason="seen at the desk").json()
    return send(browser, key, person, decision, prepared, reason="seen at the desk")

"""Decisions about tables and access whose forms are signed by an authenticator."""

from collections.abc import Callable
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.test import Client

from casino.access.models import AccessRequest
from compliance.retention.legal_holds import holds_in_force
from compliance.retention.models import LegalHold
from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.people import actor_of
from rounds.models import SignatureRequirement, StudioKey, Table
from rounds.signatures.studio_keys import KeyStatus, registered_key
from tests.casino.backoffice.cases.case_forms import named
from tests.casino.backoffice.page_reader import reader
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.people.people import PEOPLE, REQUESTS
from tests.casino.backoffice.signatures.test_signed_forms import PREPARES, send
from tests.casino.backoffice.studio_keys.test_studio_key_pages import PAGE, form
from tests.casino_in_play import NOW, open_table
from tests.signers import FirstKey
from tests.studio_signatures import Signer

pytestmark = pytest.mark.django_db

UNSIGNED: Final = "Decisions are signed with a security key."
NEW_PERSON: Final = f"{PEOPLE}new/"
PERSON: Final[dict[str, object]] = {
    "username": "carla",
    "first_name": "Carla",
    "last_name": "Neri",
    "email": "carla@casino.example",
    "roles": ["payments"],
    "reason": "She starts today.",
}

HOLDS: Final = "/admin/holds/"
HOLD: Final = {
    "first_day": "2026-11-01",
    "last_day": "2026-11-20",
    "about": "p-1",
    "reference": "Trib. 12/2026",
}


@pytest.fixture(autouse=True)
def _keys_in_files() -> None:
    """No key in a file: people sign with authenticators."""


@pytest.fixture
def table(db: None) -> Table:
    """A table."""
    return open_table()


@pytest.fixture
def giulia(db: None) -> Client:
    """A supervisor."""
    return reader(named("Giulia", "supervisor"))


@pytest.fixture
def lorenzo(db: None) -> Client:
    """A compliance officer."""
    return reader(named("Lorenzo", "compliance"))


@pytest.fixture
def key_of(db: None) -> Callable[[str], FirstKey]:
    """Makes a security key of a person, in force."""

    def make(username: str) -> FirstKey:
        key = FirstKey(actor_of(User.objects.get(username=username)))
        key.approve()
        return key

    return make


def faults() -> list[str]:
    """What ``verify_trail`` names about signed decisions."""
    found: list[str] = []
    verify_rows(found.append)
    verify_signatures(found.append)
    return found


@pytest.mark.usefixtures("table")
class TestAStudioKey:
    def test_is_proposed_and_approved_by_signature(
        self, giulia: Client, lorenzo: Client, key_of: Callable[[str], FirstKey]
    ) -> None:
        """The form's days are those of Rome; the stored row gives the same text."""
        send(lorenzo, f"{PAGE}new/", form(), key_of("lorenzo"))
        key = StudioKey.objects.get()

        send(giulia, f"{PAGE}{key.pk}/approve/", {}, key_of("giulia"))

        known = registered_key(key.key_id, at=NOW.replace(year=2027))
        assert known is not None
        assert known.status is KeyStatus.VALID
        assert faults() == []

    def test_of_another_studio_than_was_signed_is_not_saved(
        self, lorenzo: Client, key_of: Callable[[str], FirstKey]
    ) -> None:
        """Changed after signing, by a program between the person and the site."""
        words = send(lorenzo, f"{PAGE}new/", form(), key_of("lorenzo"), studio="Other Studio")

        assert "The signature is not valid for this decision." in words
        assert not StudioKey.objects.exists()

    def test_without_a_signature_is_neither_saved_nor_revoked(
        self, giulia: Client, lorenzo: Client
    ) -> None:
        """A browser without JavaScript, or a stolen session."""
        key = Signer(2).registered()
        forms = {f"{PAGE}new/": form(), f"{PAGE}{key.pk}/revoke/": {"note": "lost"}}

        for address, data in forms.items():
            assert UNSIGNED in page_html(lorenzo.post(address, data, follow=True))
            lorenzo.post(address, data, headers=PREPARES)

        assert [step.action for step in key.steps.all()] == ["approved"]
        assert StudioKey.objects.count() == 1


class TestATable:
    def test_requires_signatures_by_signature(
        self, giulia: Client, table: Table, key_of: Callable[[str], FirstKey]
    ) -> None:
        """The number that arrivals get in between is no part of the text."""
        address = f"/admin/tables/{table.pk}/signatures/require/"
        data = {"note": "they sign", "seen": "0"}
        assert UNSIGNED in page_html(giulia.post(address, data, follow=True))
        assert not SignatureRequirement.objects.exists()

        send(giulia, address, data, key_of("giulia"))

        assert SignatureRequirement.objects.get().action == "required"
        assert faults() == []


class TestAccess:
    @pytest.fixture
    def ada(self, db: None) -> Client:
        """An administrator."""
        return reader(named("Ada", "administrator"))

    @pytest.fixture
    def bruno(self, db: None) -> Client:
        """Another administrator."""
        return reader(named("Bruno", "administrator"))

    def test_of_a_new_person_is_requested_and_approved_by_signature(
        self, ada: Client, bruno: Client, key_of: Callable[[str], FirstKey]
    ) -> None:
        """The account has the number that the signed text names; each sees half a password."""
        words = send(ada, NEW_PERSON, PERSON, key_of("ada"))
        row = AccessRequest.objects.get()
        assert 'id="token"' in words

        words = send(
            bruno, f"{REQUESTS}{row.pk}/approve/", {"sure": "on", "reason": ""}, key_of("bruno")
        )

        assert 'id="token"' in words
        assert User.objects.get(username="carla").is_active
        assert faults() == []

    def test_with_another_role_than_was_signed_is_not_requested(
        self, ada: Client, key_of: Callable[[str], FirstKey]
    ) -> None:
        """Changed after signing, by a program between the person and the site."""
        words = send(ada, NEW_PERSON, PERSON, key_of("ada"), roles="compliance")

        assert "The signature is not valid for this decision." in words
        assert not User.objects.filter(username="carla").exists()

    def test_without_a_signature_is_neither_requested_nor_changed(self, ada: Client) -> None:
        """A deciding role, or an auditor; a browser without JavaScript, or a stolen session."""
        for roles in (["payments"], ["auditor"]):
            form = {**PERSON, "roles": roles}
            ada.post(NEW_PERSON, form, headers=PREPARES)
            assert UNSIGNED in page_html(ada.post(NEW_PERSON, form, follow=True))

        assert not User.objects.filter(username="carla").exists()

    def test_of_a_request_that_nobody_signed_says_so(
        self, ada: Client, bruno: Client, key_of: Callable[[str], FirstKey]
    ) -> None:
        """A row that was written by SQL."""
        clerk = named("Clerk", "payments")
        row = AccessRequest.objects.create(
            kind="factors",
            person=clerk,
            roles_before=["payments"],
            roles_after=["payments"],
            reason="lost",
            requested_by=User.objects.get(username="ada"),
            requested_at=NOW,
        )
        address = f"{REQUESTS}{row.pk}/approve/"

        words = page_html(bruno.post(address, {"sure": "on", "reason": ""}, follow=True))

        assert "The requester did not sign this request." in words


class TestALegalHold:
    def test_is_placed_and_lifted_by_signature(
        self, giulia: Client, lorenzo: Client, key_of: Callable[[str], FirstKey]
    ) -> None:
        """It has the number that the signed text names."""
        send(lorenzo, HOLDS, HOLD, key_of("lorenzo"))
        hold = LegalHold.objects.get()

        send(giulia, f"{HOLDS}{hold.pk}/lift/", {"reason": "over"}, key_of("giulia"))

        assert not holds_in_force().exists()
        assert faults() == []

    def test_without_a_signature_is_neither_placed_nor_lifted(
        self, giulia: Client, lorenzo: Client, key_of: Callable[[str], FirstKey]
    ) -> None:
        """A browser without JavaScript, or a stolen session."""
        send(lorenzo, HOLDS, HOLD, key_of("lorenzo"))
        hold = LegalHold.objects.get()

        for client, address, data in (
            (lorenzo, HOLDS, HOLD),
            (giulia, f"{HOLDS}{hold.pk}/lift/", {"reason": "over"}),
        ):
            client.post(address, data, headers=PREPARES)
            assert UNSIGNED in page_html(client.post(address, data, follow=True))

        assert list(holds_in_force()) == [hold]
        assert LegalHold.objects.count() == 1

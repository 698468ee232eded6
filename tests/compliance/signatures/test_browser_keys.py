"""Keys in browsers: accepted only where the installation says so, and always named as such."""

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from compliance.signatures.assertions import (
    BROWSER_REGISTERS,
    InvalidAssertion,
    parse_assertion,
    verify_assertion,
)
from compliance.signatures.manage_keys import (
    BrowserKeysOff,
    approve_key,
    register_key,
    reject_key,
    revoke_key,
    root_key,
)
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import KeyNotInForce, signing_keys_of
from compliance.signatures.software_key import SoftwareKey
from compliance.signatures.verify_signatures import verify_signatures
from compliance.trail.actor import Actor
from tests.browser_keys import BrowserKey, browser_answer_of
from tests.compliance.trail.audit_records import audit_records
from tests.signers import AT, HOST, Person, approved, registered, rooted

_TEXT = '[1,"Giulia",7,"CASE_APPROVED","case:C-000001",{}]'
LATER = AT + timedelta(hours=25)


@pytest.fixture
def key() -> BrowserKey:
    """A key in a browser."""
    return BrowserKey.generate()


class TestASignature:
    @pytest.mark.parametrize("kept_by_browser", [True, False])
    def test_is_of_one_kind(self, key: BrowserKey, *, kept_by_browser: bool) -> None:
        """Neither passes as the other, though the private key is the same."""
        authenticator = SoftwareKey.load(key.pem, site="localhost", origin="http://localhost")
        made_by = authenticator if kept_by_browser else key
        public = (key if kept_by_browser else authenticator).public

        with pytest.raises(InvalidAssertion, match=r"found (webauthn\.get|sabot\.browser); needed"):
            verify_assertion(made_by.sign(_TEXT), text=_TEXT, key=public)

    def test_has_seen_nothing(self, key: BrowserKey) -> None:
        """Authenticator data, which it does not sign, is refused."""
        signed = key.sign(_TEXT)._replace(authenticator_data=bytes(37))

        with pytest.raises(InvalidAssertion, match="no signature of a key in a browser"):
            verify_assertion(signed, text=_TEXT, key=key.public)

    def test_is_no_registration(self, key: BrowserKey) -> None:
        """A server that asks for one cannot have a decision signed by it."""
        key.ceremony = BROWSER_REGISTERS

        with pytest.raises(InvalidAssertion, match=r"found sabot\.browser\.create"):
            verify_assertion(key.sign(_TEXT), text=_TEXT, key=key.public)


class TestABrowsersAnswer:
    def test_is_stored_as_an_authenticator_gives_it(self, key: BrowserKey) -> None:
        """In DER, with numbers of any length."""
        for _attempt in range(300):
            signed = key.sign(_TEXT)
            assert parse_assertion(browser_answer_of(signed)) == signed

    def test_with_a_signature_of_another_length_is_refused(self, key: BrowserKey) -> None:
        """WebCrypto gives 64 octets."""
        answer = json.loads(browser_answer_of(key.sign(_TEXT)))
        answer["response"]["signature"] += "AA"

        with pytest.raises(InvalidAssertion, match="no signature of a key in a browser"):
            parse_assertion(json.dumps(answer))


@pytest.mark.django_db
class TestAnInstallationThatAcceptsThem:
    @pytest.fixture(autouse=True)
    def _accepted(self, settings: Settings) -> None:
        settings.BROWSER_KEYS = True

    def test_verifies_what_they_signed(self, key: BrowserKey) -> None:
        """Both a first key and one that it approved."""
        giulia = rooted("Giulia", 1, key=key)
        marco = approved("Marco", 2, by=giulia, key=BrowserKey.generate())
        reject_key(key_id=registered("Anna", 4).row.id, note="no", at=LATER, actor=marco.actor)

        assert faults() == []

    def test_names_the_kind_in_each_step(self, key: BrowserKey) -> None:
        """In the text that the approver signs; not for authenticators, whose texts stay."""
        giulia = rooted("Giulia", 1)
        approved("Marco", 2, by=giulia, key=key)
        approved("Paolo", 3, by=giulia)

        kinds = {
            action: [details.get("kind") for _actor, _subject, details in audit_records(action)]
            for action in ("SIGNING_KEY_REGISTERED", "SIGNING_KEY_APPROVED")
        }
        assert kinds == {
            "SIGNING_KEY_REGISTERED": [None, "browser", None],
            "SIGNING_KEY_APPROVED": ["browser", "browser", None, None],
        }

    def test_stores_one_kind_of_a_key(self, key: BrowserKey) -> None:
        """No demo has keys in browsers."""
        with pytest.raises(IntegrityError, match="of_one_kind"), transaction.atomic():
            registered("Giulia", 1, key=key, is_software=True)


@pytest.mark.django_db
class TestAnInstallationThatDoesNot:
    @pytest.fixture
    def giulia(self) -> Person:
        """Holds a first key, an authenticator's."""
        return rooted("Giulia", 1)

    @pytest.fixture
    def marco(self, giulia: Person, settings: Settings) -> Person:
        """Holds a key in a browser, from when they were accepted."""
        settings.BROWSER_KEYS = True
        marco = approved("Marco", 2, by=giulia, key=BrowserKey.generate())
        settings.BROWSER_KEYS = False
        return marco

    def test_registers_none(self, key: BrowserKey) -> None:
        """Which is the default."""
        with pytest.raises(BrowserKeysOff):
            register_key(
                public=key.public,
                credential_id=key.credential_id,
                label="",
                at=AT,
                actor=Actor("Marco", 2),
            )
        assert not SigningKey.objects.exists()

    def test_approves_none(self, giulia: Person, settings: Settings) -> None:
        """Neither by a signature nor on the host; rejecting it is possible."""
        settings.BROWSER_KEYS = True
        waiting = registered("Marco", 2, key=BrowserKey.generate()).row.id
        settings.BROWSER_KEYS = False

        with pytest.raises(BrowserKeysOff):
            approve_key(key_id=waiting, note="seen", at=AT, actor=giulia.actor)
        with pytest.raises(BrowserKeysOff):
            root_key(key_id=waiting, at=AT, actor=HOST)
        reject_key(key_id=waiting, note="no authenticator", at=AT, actor=giulia.actor)

    def test_lets_none_sign(self, giulia: Person, marco: Person) -> None:
        """Though it is in force; another person may revoke it."""
        with pytest.raises(KeyNotInForce, match="a key in a browser"):
            revoke_key(key_id=giulia.row.id, note="lost", at=LATER, actor=marco.actor)

        assert signing_keys_of(2, at=LATER) == []
        revoke_key(key_id=marco.row.id, note="off now", at=LATER, actor=giulia.actor)

    def test_believes_what_they_signed_before(
        self, giulia: Person, marco: Person, settings: Settings
    ) -> None:
        """A decision does not become false by a setting."""
        settings.BROWSER_KEYS = True
        reject_key(key_id=registered("Anna", 4).row.id, note="no", at=LATER, actor=marco.actor)
        settings.BROWSER_KEYS = False

        assert faults() == []


def faults() -> list[str]:
    """What the verification names."""
    found: list[str] = []
    verify_signatures(found.append)
    return found

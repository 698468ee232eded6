"""Keys in browsers: what a web host may try with one, or with an authenticator as one.

A server of the page can have a browser sign any text while its person is there: no check of a
signature finds that (docs/threats.md). These are the attempts that the worker refuses.
"""

import json
from datetime import timedelta
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fido2 import cbor
from fido2.cose import EdDSA
from pytest_django import Settings

from compliance.signatures import assertions, manage_keys, queries
from compliance.signatures.assertions import (
    BROWSER_SIGNS,
    Assertion,
    InvalidAssertion,
    PublicKey,
    base64url,
    challenge_of,
    verify_assertion,
)
from compliance.signatures.manage_keys import revoke_key
from compliance.signatures.models import DecisionSignature, SigningKey
from compliance.signatures.queries import KeyNotInForce
from compliance.signatures.software_key import SoftwareKey
from compliance.trail.models import AuditRecord
from payouts.cases.models import Case, CaseStep
from tests.attacks.forgeries import (
    CENTS,
    approval_columns,
    as_owner,
    as_web,
    begin_execution,
    faults,
    key_of,
    nothing_moves,
    signed,
    step,
)
from tests.attacks.guards import Guard
from tests.browser_keys import BrowserKey, as_authenticator
from tests.casino_in_play import NOW
from tests.compliance.signatures.test_browser_keys import (
    TestABrowsersAnswer as _Answers,
)
from tests.compliance.signatures.test_browser_keys import (
    TestAnInstallationThatDoesNot as _Refused,
)
from tests.compliance.signatures.test_browser_keys import (
    TestASignature as _Signatures,
)
from tests.compliance.signatures.test_browser_keys import key
from tests.payouts.cases.case_scenarios import credit_proposed, execute
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO
from tests.signers import Person, approved

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]
__all__ = ["key"]  # a fixture of the attacks' own tests


@pytest.fixture
def lorenzo(settings: Settings) -> Person:
    """Lorenzo with a key in his browser, which Giulia has approved by her signature."""
    settings.BROWSER_KEYS = True
    row = SigningKey.objects.get(person_id=GIULIA.user_id or 0)
    giulia = Person(GIULIA, key_of(GIULIA), row)
    at, key = NOW - timedelta(days=3), BrowserKey.generate()
    return approved(LORENZO.name, LORENZO.user_id or 0, by=giulia, at=at, key=key)


def approved_with(key: SoftwareKey, **signature: Any) -> Case:
    """Giulia's proposal, approved in Lorenzo's name with a key."""
    case = credit_proposed("p-1", CENTS)
    with as_web():
        approval = step(
            case, 3, LORENZO, **approval_columns(CaseStep.objects.get(case=case, sequence=2))
        )
        signed(approval, key, **signature)
        begin_execution(case)
    return case


def test_a_decision_that_it_signed_is_executed(lorenzo: Person) -> None:
    """With either setting of the worker: its approval counts."""
    assert execute(approved_with(lorenzo.key)) == [("done", None)]
    assert faults() == []


class TestAKeyInABrowser:
    def test_does_not_pass_as_an_authenticator(self, lorenzo: Person) -> None:
        """The page builds authenticator data with a verified user and lets the key sign it."""
        case = approved_with(as_authenticator(lorenzo.key), key_id=lorenzo.row.id)

        assert "found webauthn.get; needed sabot.browser" in nothing_moves(case)

    def test_does_not_pass_as_one_when_its_row_says_so(self, lorenzo: Person) -> None:
        """The owner of the tables changes the kind: nobody has signed for such a key."""
        with as_owner():
            SigningKey.objects.filter(pk=lorenzo.row.id).update(is_browser=False)

        case = approved_with(as_authenticator(lorenzo.key), key_id=lorenzo.row.id)

        assert "whose approval is not signed" in nothing_moves(case)
        assert any("no signed approval" in fault for fault in faults())

    def test_signs_no_other_text(self, lorenzo: Person) -> None:
        """Its signature of a decision, replayed for the same decision on another case."""
        execute(approved_with(lorenzo.key))
        case = approved_with(lorenzo.key)
        one, other = AuditRecord.objects.filter(
            action="CASE_APPROVED", actor=LORENZO.name
        ).order_by("-id")[:2]
        with as_owner():
            replayed = DecisionSignature.objects.get(record_id=other.id)
            DecisionSignature.objects.filter(record_id=one.id).update(
                client_data=replayed.client_data, signature=replayed.signature
            )

        assert "found a signature of another text" in nothing_moves(case)

    def test_signs_at_no_other_site(self, lorenzo: Person) -> None:
        """A copy of the page elsewhere, with a key that was stolen from the browser."""
        elsewhere = BrowserKey.load(
            lorenzo.key.pem, site="localhost", origin="https://sab0t.example"
        )

        assert "found a signature made at https://sab0t.example" in nothing_moves(
            approved_with(elsewhere)
        )


class TestAnAuthenticator:
    def test_does_not_pass_as_a_key_in_a_browser(self, lorenzo: Person) -> None:
        """Its assertion, stored for the key of the browser: that one has not signed it."""
        case = approved_with(key_of(LORENZO), key_id=lorenzo.row.id)

        assert "found webauthn.get; needed sabot.browser" in nothing_moves(case)

    def test_signs_nothing_without_a_pin_as_a_key_in_a_browser(self) -> None:
        """Malware at the authenticator lets it sign client data of the other type."""
        pem = key_of(LORENZO).pem
        as_browser = BrowserKey.load(pem, site="localhost", origin="http://localhost")
        row = SigningKey.objects.get(person_id=LORENZO.user_id or 0)

        case = approved_with(as_browser, key_id=row.pk)

        assert f"found {BROWSER_SIGNS}; needed webauthn.get" in nothing_moves(case)


def test_signs_nothing_where_none_are_accepted(lorenzo: Person, settings: Settings) -> None:
    """An honest server refuses it, though it is in force."""
    settings.BROWSER_KEYS = False

    with pytest.raises(KeyNotInForce):
        revoke_key(key_id=lorenzo.row.id, note="x", at=NOW, actor=lorenzo.actor)


def test_signs_by_one_algorithm() -> None:
    """A verifier of a bundle by openssl knows what to expect."""
    private = Ed25519PrivateKey.generate()
    cose = EdDSA.from_cryptography_key(private.public_key())  # type: ignore[no-untyped-call]
    client = {"challenge": base64url(challenge_of("x")), "origin": "http://localhost"}
    client_data = json.dumps({"type": BROWSER_SIGNS, **client}).encode()
    assertion = Assertion(b"id", b"", client_data, private.sign(client_data))
    public = PublicKey(cbor.encode(cose), "localhost", is_browser=True)

    with pytest.raises(InvalidAssertion, match="no signature of a key in a browser"):
        verify_assertion(assertion, text="x", key=public)


GUARDS: Final = (
    Guard(
        assertions._signed_by_browser,
        "assertion.authenticator_data",
        _Signatures().test_has_seen_nothing,
    ),
    Guard(
        assertions._signed_by_browser,
        "not isinstance(public, ES256)",
        test_signs_by_one_algorithm,
    ),
    Guard(
        assertions._der,
        "len(signature) != 2 * _COORDINATE",
        _Answers().test_with_a_signature_of_another_length_is_refused,
    ),
    Guard(
        manage_keys._require_accepted,
        "key.is_browser and (not settings.BROWSER_KEYS)",
        _Refused().test_registers_none,
    ),
    Guard(
        queries.key_in_force,
        "key.is_browser and (not settings.BROWSER_KEYS)",
        test_signs_nothing_where_none_are_accepted,
    ),
)


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.condition)
def test_without_it_its_attack_succeeds(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The signature, or the key, is taken."""
    guard.is_needed(request)

"""WebAuthn assertions as signatures of a text (Web Authentication level 2, section 7.2)."""

import json

import pytest

from compliance.signatures.assertions import (
    Assertion,
    InvalidAssertion,
    base64url,
    parse_assertion,
    verify_assertion,
)
from compliance.signatures.software_key import SoftwareKey
from tests.browser_keys import BrowserKey

_TEXT = '[1,"Giulia",7,"CASE_APPROVED","case:C-000001",{}]'


@pytest.fixture
def key() -> SoftwareKey:
    """An authenticator."""
    return SoftwareKey.generate()


@pytest.mark.parametrize("kind", [SoftwareKey, BrowserKey])
class TestASignatureOfAnyKind:
    """By an authenticator or a key in a browser."""

    def test_is_of_one_text_and_one_key(self, kind: type[SoftwareKey]) -> None:
        """The same assertion under another text or key is refused."""
        key = kind.generate()
        signed = key.sign(_TEXT)

        verify_assertion(signed, text=_TEXT, key=key.public)
        with pytest.raises(InvalidAssertion, match="another text"):
            verify_assertion(signed, text=_TEXT.replace("7", "8"), key=key.public)
        with pytest.raises(InvalidAssertion, match="another key"):
            verify_assertion(signed, text=_TEXT, key=kind.generate().public)

    def test_is_refused_after_any_change(self, kind: type[SoftwareKey]) -> None:
        """Each octet of what is signed, and of the signature."""
        key = kind.generate()
        signed = key.sign(_TEXT)
        for part in ("authenticator_data", "client_data", "signature"):
            for at in range(len(getattr(signed, part))):
                octets = bytearray(getattr(signed, part))
                octets[at] ^= 1
                changed = signed._replace(**{part: bytes(octets)})
                with pytest.raises(InvalidAssertion):
                    verify_assertion(changed, text=_TEXT, key=key.public)

    @pytest.mark.parametrize(
        "origin",
        ["https://sabot.example", "http://sabot.casino.example", "https://casino.example.evil.org"],
    )
    def test_of_another_site_is_refused(self, kind: type[SoftwareKey], origin: str) -> None:
        """As a phishing page obtains it, or a page without TLS."""
        key = kind.generate(site="casino.example", origin=origin)

        with pytest.raises(InvalidAssertion, match="signature made at"):
            verify_assertion(key.sign(_TEXT), text=_TEXT, key=key.public)


class TestASignature:
    def test_needs_a_verified_user(self, key: SoftwareKey) -> None:
        """A touch alone (0x01), or a PIN without a touch (0x04), signs no decision."""
        for flags in (b"\x00", b"\x01", b"\x04"):
            with pytest.raises(InvalidAssertion, match="verified user"):
                verify_assertion(key.sign(_TEXT, flags=flags), text=_TEXT, key=key.public)

    def test_for_another_site_is_refused(self, key: SoftwareKey) -> None:
        """The authenticator names the site as well."""
        elsewhere = SoftwareKey.load(key.pem, site="sabot.example", origin="http://localhost")

        with pytest.raises(InvalidAssertion, match="another site"):
            verify_assertion(elsewhere.sign(_TEXT), text=_TEXT, key=key.public)

    def test_is_no_registration(self, key: SoftwareKey) -> None:
        """The type of a ceremony is part of what is signed."""
        signed = key.sign(_TEXT)
        client = signed.client_data.replace(b"webauthn.get", b"webauthn.create")

        with pytest.raises(InvalidAssertion, match=r"needed webauthn\.get"):
            verify_assertion(signed._replace(client_data=client), text=_TEXT, key=key.public)

    @pytest.mark.parametrize(
        "cose", [b"", b"\xa0", b"\xa1\x03\x39\xff\xff", b"\xff" * 40, b"\xba\0"]
    )
    def test_with_a_malformed_key_is_refused(self, key: SoftwareKey, cose: bytes) -> None:
        """Empty, without an algorithm, with an unknown one, not CBOR, CBOR that ends early."""
        public = key.public._replace(cose=cose)

        with pytest.raises(InvalidAssertion):
            verify_assertion(key.sign(_TEXT), text=_TEXT, key=public)

    def test_with_broken_extensions_is_refused(self, key: SoftwareKey) -> None:
        """What the authenticator saw says that they follow, and ends in the middle of a number."""
        signed = key.sign(_TEXT)
        seen = signed.authenticator_data[:32] + b"\x85" + bytes(4) + b"\xba\0"

        with pytest.raises(InvalidAssertion, match="malformed"):
            verify_assertion(signed._replace(authenticator_data=seen), text=_TEXT, key=key.public)


class TestABrowsersAnswer:
    def test_is_read(self, key: SoftwareKey) -> None:
        """base64url without padding."""
        signed = key.sign(_TEXT)

        assert parse_assertion(answer_of(signed)) == signed

    @pytest.mark.parametrize(
        "answer", ["", "null", "[]", "{}", '{"rawId": 5}', "[" * 30_000, '{"rawId": "é"}']
    )
    def test_that_is_malformed_is_refused(self, answer: str) -> None:
        """By a clear error."""
        with pytest.raises(InvalidAssertion, match="no assertion"):
            parse_assertion(answer)


def test_a_key_is_stored_and_loaded(key: SoftwareKey) -> None:
    """The demo keeps its keys in files."""
    loaded = SoftwareKey.load(key.pem, site="localhost", origin="http://localhost")

    assert loaded.public == key.public


def answer_of(signed: Assertion) -> str:
    """The assertion as browsers send it."""
    response = {
        "authenticatorData": base64url(signed.authenticator_data),
        "clientDataJSON": base64url(signed.client_data),
        "signature": base64url(signed.signature),
    }
    return json.dumps({"rawId": base64url(signed.credential_id), "response": response})

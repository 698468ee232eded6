"""Assertions of authenticators and of keys in browsers as signatures of a text.

The challenge is the SHA-256 of the text, so the signature covers it. Anybody can verify it
afterwards with the public key alone. An authenticator signs what it saw and the client data (Web
Authentication level 2, section 7.2). A key in a browser, made by WebCrypto, signs client data of
its own type and nothing else; what it signs never passes as an authenticator's, nor the reverse.
"""

import hashlib
import json
import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from fido2 import cbor
from fido2.cose import ES256, CoseKey
from fido2.rpid import verify_rp_id
from fido2.webauthn import AuthenticatorData

BROWSER_SIGNS: Final = "sabot.browser"
"""The type of client data with which a key in a browser signs a decision."""
BROWSER_REGISTERS: Final = "sabot.browser.create"
"""The type with which it shows at its registration that the browser has it."""
_COORDINATE: Final = 32  # octets, of P-256
_LONGEST_ANSWER: Final = 20_000  # characters; a browser's has about a thousand
_MALFORMED: Final = (
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,  # of fido2, for CBOR that ends early
)


class InvalidAssertion(Exception):
    """The assertion is malformed, or is no signature of this text with this key."""


class Assertion(NamedTuple):
    """What an authenticator returns: which key signed, what it saw, and the signature.

    A key in a browser has seen nothing: its authenticator data is empty.
    """

    credential_id: bytes
    authenticator_data: bytes
    client_data: bytes
    signature: bytes


class PublicKey(NamedTuple):
    """The public key of a credential (COSE, RFC 9052) and the site that it was created for."""

    cose: bytes
    site: str
    is_browser: bool = False
    """Whether a browser keeps the private key, not an authenticator."""


def challenge_of(text: str) -> bytes:
    """The challenge whose assertion signs the text: its SHA-256."""
    return hashlib.sha256(text.encode()).digest()


def parse_assertion(answer: str) -> Assertion:
    """The assertion in a browser's JSON. Raises InvalidAssertion."""
    try:
        parsed = json.loads(answer[:_LONGEST_ANSWER])
        response = parsed["response"]
        seen, signature = octets_of(response["authenticatorData"]), octets_of(response["signature"])
        return Assertion(
            octets_of(parsed["rawId"]),
            seen,
            octets_of(response["clientDataJSON"]),
            signature if seen else _der(signature),
        )
    except _MALFORMED as error:
        raise InvalidAssertion("found no assertion of a security key") from error


def verify_assertion(assertion: Assertion, *, text: str, key: PublicKey) -> None:
    """Raises InvalidAssertion unless the holder of the key signed exactly this text.

    An authenticator must have verified its present user by PIN or biometrics.
    """
    ceremony = BROWSER_SIGNS if key.is_browser else "webauthn.get"
    verify_answer(assertion, challenge_of(text), key=key, ceremony=ceremony)


def verify_answer(assertion: Assertion, challenge: bytes, *, key: PublicKey, ceremony: str) -> None:
    """Raises InvalidAssertion unless the key answered this challenge, in this ceremony."""
    try:
        _require_client_data(json.loads(assertion.client_data), challenge, key.site, ceremony)
        public = _public_key(key.cose)
        signed = _signed_by_browser if key.is_browser else _signed_by_authenticator
        public.verify(signed(assertion, key.site, public), assertion.signature)
    except InvalidSignature as error:
        raise InvalidAssertion("found a signature by another key or of other data") from error
    except _MALFORMED as error:
        raise InvalidAssertion(f"found a malformed assertion: {type(error).__name__}") from error


def _public_key(cose: bytes) -> CoseKey:
    public = CoseKey.parse(cbor.decode(cose))  # type: ignore[arg-type]  # a map
    if public.ALGORITHM not in CoseKey.supported_algorithms():
        raise InvalidAssertion("found a key of an unknown algorithm")
    return public


def _signed_by_authenticator(assertion: Assertion, site: str, _public: CoseKey) -> bytes:
    seen = AuthenticatorData(assertion.authenticator_data)
    _require_authenticator(seen, site)
    return seen + hashlib.sha256(assertion.client_data).digest()


def _signed_by_browser(assertion: Assertion, _site: str, public: CoseKey) -> bytes:
    if assertion.authenticator_data or not isinstance(public, ES256):
        raise InvalidAssertion("found no signature of a key in a browser")
    return assertion.client_data


def _require_client_data(data: dict[str, Any], challenge: bytes, site: str, ceremony: str) -> None:
    if data["type"] != ceremony:
        raise InvalidAssertion(f"found {data['type']}; needed {ceremony}")
    if octets_of(data["challenge"]) != challenge:
        raise InvalidAssertion("found a signature of another text")
    if data.get("crossOrigin") or not verify_rp_id(site, data["origin"]):
        raise InvalidAssertion(f"found a signature made at {data['origin']}; needed {site}")


def _require_authenticator(seen: AuthenticatorData, site: str) -> None:
    if seen.rp_id_hash != hashlib.sha256(site.encode()).digest():
        raise InvalidAssertion(f"found a signature for another site; needed {site}")
    if not (seen.is_user_present() and seen.is_user_verified()):
        raise InvalidAssertion("found no verified user; needed a PIN or biometrics at the key")


def _der(signature: bytes) -> bytes:
    """WebCrypto's r and s as authenticators and openssl write them: the form that is stored."""
    if len(signature) != 2 * _COORDINATE:
        raise InvalidAssertion("found no signature of a key in a browser")
    r, s = signature[:_COORDINATE], signature[_COORDINATE:]
    return encode_dss_signature(int.from_bytes(r), int.from_bytes(s))


def base64url(octets: bytes) -> str:
    """The octets as WebAuthn writes them: base64url without padding."""
    return urlsafe_b64encode(octets).decode().rstrip("=")


def octets_of(text: str) -> bytes:
    """The octets that ``base64url`` wrote."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))

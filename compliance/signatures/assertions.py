"""WebAuthn assertions as signatures of a text.

The challenge is the SHA-256 of the text, so the authenticator's signature covers it. Anybody can
verify it afterwards with the public key alone (Web Authentication level 2, section 7.2).
"""

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from fido2 import cbor
from fido2.cose import CoseKey
from fido2.rpid import verify_rp_id
from fido2.webauthn import AuthenticatorData

_LONGEST_ANSWER: Final = 20_000  # characters; a browser's has about a thousand
_MALFORMED: Final = (
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


class InvalidAssertion(Exception):
    """The assertion is malformed, or is no signature of this text with this key."""


class Assertion(NamedTuple):
    """What an authenticator returns: which key signed, what it saw, and the signature."""

    credential_id: bytes
    authenticator_data: bytes
    client_data: bytes
    signature: bytes


class PublicKey(NamedTuple):
    """The public key of a credential (COSE, RFC 9052) and the site that it was created for."""

    cose: bytes
    site: str


def challenge_of(text: str) -> bytes:
    """The challenge whose assertion signs the text: its SHA-256."""
    return hashlib.sha256(text.encode()).digest()


def parse_assertion(answer: str) -> Assertion:
    """The assertion in a browser's JSON. Raises InvalidAssertion."""
    try:
        parsed = json.loads(answer[:_LONGEST_ANSWER])
        response = parsed["response"]
        return Assertion(
            _octets(parsed["rawId"]),
            _octets(response["authenticatorData"]),
            _octets(response["clientDataJSON"]),
            _octets(response["signature"]),
        )
    except _MALFORMED as error:
        raise InvalidAssertion("found no assertion of a security key") from error


def verify_assertion(assertion: Assertion, *, text: str, key: PublicKey) -> None:
    """Raises InvalidAssertion unless the holder of the key signed exactly this text.

    The authenticator must have been present and have verified its user by PIN or biometrics.
    """
    try:
        _require_client_data(json.loads(assertion.client_data), text, key.site)
        seen = AuthenticatorData(assertion.authenticator_data)
        _require_authenticator(seen, key.site)
        signed = seen + hashlib.sha256(assertion.client_data).digest()
        _public_key(key.cose).verify(signed, assertion.signature)
    except InvalidSignature as error:
        raise InvalidAssertion("found a signature by another key or of other data") from error
    except _MALFORMED as error:
        raise InvalidAssertion(f"found a malformed assertion: {type(error).__name__}") from error


def _public_key(cose: bytes) -> CoseKey:
    public = CoseKey.parse(cbor.decode(cose))  # type: ignore[arg-type]  # a map
    if public.ALGORITHM not in CoseKey.supported_algorithms():
        raise InvalidAssertion("found a key of an unknown algorithm")
    return public


def _require_client_data(data: dict[str, Any], text: str, site: str) -> None:
    if data["type"] != "webauthn.get":
        raise InvalidAssertion(f"found {data['type']}; needed webauthn.get")
    if _octets(data["challenge"]) != challenge_of(text):
        raise InvalidAssertion("found a signature of another text")
    if data.get("crossOrigin") or not verify_rp_id(site, data["origin"]):
        raise InvalidAssertion(f"found a signature made at {data['origin']}; needed {site}")


def _require_authenticator(seen: AuthenticatorData, site: str) -> None:
    if seen.rp_id_hash != hashlib.sha256(site.encode()).digest():
        raise InvalidAssertion(f"found a signature for another site; needed {site}")
    if not (seen.is_user_present() and seen.is_user_verified()):
        raise InvalidAssertion("found no verified user; needed a PIN or biometrics at the key")


def base64url(octets: bytes) -> str:
    """The octets as WebAuthn writes them: base64url without padding."""
    return urlsafe_b64encode(octets).decode().rstrip("=")


def _octets(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))

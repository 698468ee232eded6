"""Ed25519 public keys of studios: their ids and their notations (RFC 8037, RFC 7638)."""

import base64
import binascii
import hashlib
import json
from typing import Final

from cryptography.exceptions import InvalidSignature as WrongSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_public_key,
)

KEY_BYTES: Final = 32
_PEM: Final = "-----BEGIN PUBLIC KEY-----"


class InvalidPublicKey(ValueError):
    """The text is no Ed25519 public key."""


def key_id_of(public_key: bytes) -> str:
    """The RFC 7638 thumbprint: SHA-256 of the key's JWK, in base64url without padding."""
    jwk = json.dumps(jwk_of(public_key), separators=(",", ":"), sort_keys=True)
    return to_base64url(hashlib.sha256(jwk.encode("ascii")).digest())


def jwk_of(public_key: bytes) -> dict[str, str]:
    """The key as JSON Web Key (RFC 8037)."""
    return {"crv": "Ed25519", "kty": "OKP", "x": to_base64url(public_key)}


def raw_public_key(key: Ed25519PublicKey) -> bytes:
    """The 32 bytes of a key."""
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def read_public_key(text: str) -> bytes:
    """The 32 bytes of a key in PEM, as JSON Web Key or as its ``x``. Raises InvalidPublicKey."""
    text = text.strip()
    try:
        if text.startswith(_PEM):
            return _from_pem(text)
        return _checked(from_base64url(_x_of(text) if text.startswith("{") else text))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InvalidPublicKey(f"found no Ed25519 public key: {error}") from error


def is_signed(public_key: bytes, signature: bytes, text: bytes) -> bool:
    """Whether the signature is that of the text by this key (RFC 8032)."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text)
    except (WrongSignature, ValueError):
        return False
    return True


def to_base64url(value: bytes) -> str:
    """Base64url without padding (RFC 7515, section 2)."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode("ascii")


def from_base64url(text: str) -> bytes:
    """The inverse; raises ValueError for any other notation of the same bytes."""
    try:
        value = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(f"no base64url: {error}") from error
    if to_base64url(value) != text:
        raise ValueError("no base64url in its canonical form")
    return value


def _from_pem(text: str) -> bytes:
    key = load_pem_public_key(text.encode())
    if not isinstance(key, Ed25519PublicKey):
        raise TypeError("another kind of key")
    return raw_public_key(key)


def _x_of(text: str) -> str:
    jwk = json.loads(text)
    if (jwk["kty"], jwk["crv"]) != ("OKP", "Ed25519") or "d" in jwk:
        raise ValueError("another kind of key, or a private one")
    return str(jwk["x"])


def _checked(key: bytes) -> bytes:
    if len(key) != KEY_BYTES:
        raise ValueError(f"{len(key)} bytes")
    Ed25519PublicKey.from_public_bytes(key)
    return key

"""JSON Web Signatures (RFC 7515) in their compact form, with Ed25519 (RFC 8037) alone."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rounds.feed.exceptions import shorten
from rounds.signatures.exceptions import InvalidSignature
from rounds.signatures.public_keys import (
    from_base64url,
    key_id_of,
    raw_public_key,
    to_base64url,
)

ALGORITHMS: Final = ("EdDSA", "Ed25519")
"""The names of the algorithm: RFC 8037 and its successor, RFC 9864."""
_PARTS: Final = 3
SIGNATURE_BYTES: Final = 64


class WebSignature(NamedTuple):
    """A signature that is well formed; whether it is right, ``is_signed`` decides."""

    key_id: str
    payload: dict[str, Any]
    signed_text: bytes
    signature: bytes


def sign_payload(payload: Mapping[str, object], key: Ed25519PrivateKey) -> str:
    """The signature of a payload, which it contains."""
    header = {"alg": ALGORITHMS[0], "kid": key_id_of(raw_public_key(key.public_key()))}
    text = ".".join(to_base64url(_json(part)) for part in (header, payload))
    return f"{text}.{to_base64url(key.sign(text.encode('ascii')))}"


def parse_web_signature(text: bytes) -> WebSignature:
    """The parts of a signature. Raises InvalidSignature."""
    parts = text.split(b".")
    if len(parts) != _PARTS:
        needed = "three parts with points between them (RFC 7515)"
        raise InvalidSignature("signature", f"{len(parts)} parts", needed)
    header = _object("header", parts[0])
    if header.get("alg") not in ALGORITHMS:
        needed = " or ".join(ALGORITHMS)
        raise InvalidSignature("header.alg", shorten(header.get("alg")), needed)
    key_id = header.get("kid")
    if not isinstance(key_id, str) or header.keys() - {"alg", "kid", "typ"}:
        raise InvalidSignature("header", shorten(header), "alg, kid and at most typ")
    if not (key_id.isascii() and key_id.isprintable()):
        raise InvalidSignature("header.kid", shorten(key_id), "the id of a key, in ASCII")
    signature = _decoded("signature", parts[2])
    if len(signature) != SIGNATURE_BYTES:
        raise InvalidSignature("signature", f"{len(signature)} bytes", f"{SIGNATURE_BYTES} bytes")
    payload = _object("payload", parts[1])
    return WebSignature(key_id, payload, b".".join(parts[:2]), signature)


def payload_of(signed_text: bytes) -> dict[str, Any]:
    """The payload of a text that was signed. Raises InvalidSignature."""
    return _object("payload", signed_text.partition(b".")[2])


def _json(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _object(field: str, part: bytes) -> dict[str, Any]:
    try:
        value = json.loads(_decoded(field, part))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InvalidSignature(field, shorten(value), "a JSON object in base64url")
    return value


def _decoded(field: str, part: bytes) -> bytes:
    try:
        return from_base64url(part.decode("ascii"))
    except ValueError as error:
        raise InvalidSignature(field, str(error), "base64url without padding") from error

"""Signatures as the specification Standard Webhooks (v1, symmetric) has them."""

from base64 import b64decode, b64encode
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from hmac import digest
from secrets import token_bytes
from typing import Final

_PREFIX: Final = "whsec_"
_OCTETS: Final = 32
EXAMPLE: Final = _PREFIX + b64encode(bytes(_OCTETS)).decode()
"""A secret as it looks, of no webhook."""


def new_secret() -> str:
    """A secret as its owner is told it."""
    return _PREFIX + b64encode(token_bytes(_OCTETS)).decode()


def signed_headers(
    *, message: str, body: bytes, secrets: Iterable[str], at: datetime
) -> dict[str, str]:
    """The headers that prove who sent this body and when, with a signature a secret.

    ``message`` is the same each time the same thing is sent: by it receivers know what they have
    had already.
    """
    moment = str(int(at.timestamp()))
    content = f"{message}.{moment}.".encode() + body
    signatures = [f"v1,{_signature(content, secret)}" for secret in secrets]
    return {
        "webhook-id": message,
        "webhook-timestamp": moment,
        "webhook-signature": " ".join(signatures),
    }


def _signature(content: bytes, secret: str) -> str:
    key = b64decode(secret.removeprefix(_PREFIX))
    return b64encode(digest(key, content, sha256)).decode()

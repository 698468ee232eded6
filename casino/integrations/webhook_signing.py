"""Signatures of webhook messages: Standard Webhooks, v1, symmetric."""

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
"""An example of a secret, of no webhook."""


def new_secret() -> str:
    """A random secret, in the format of Standard Webhooks."""
    return _PREFIX + b64encode(token_bytes(_OCTETS)).decode()


def signed_headers(
    *, message: str, body: bytes, secrets: Iterable[str], at: datetime
) -> dict[str, str]:
    """The signed headers of a message, with one signature for each secret.

    ``message`` is its id, which is the same at each attempt: receivers use it to drop duplicates.
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

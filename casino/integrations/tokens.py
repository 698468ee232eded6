"""API tokens: generated here, shown once, stored as a digest.

A token begins with the kind of installation that it was issued for, which a sandbox and a real
casino never share: a program that was given the wrong address or token changes nothing there.
"""

import re
import secrets
import string
from hashlib import sha256
from hmac import compare_digest
from typing import Final, NamedTuple

from django.conf import settings

_ALPHABET: Final = string.ascii_letters + string.digits
_HANDLE_LENGTH: Final = 12
_SECRET_LENGTH: Final = 43  # of 62 letters each: 256 bits
_LIVE, _TEST = "sabot_live", "sabot_test"
_TOKEN: Final = re.compile(
    rf"(?P<prefix>{_LIVE}|{_TEST})_(?P<handle>[A-Za-z0-9]{{{_HANDLE_LENGTH}}})_[A-Za-z0-9]{{{_SECRET_LENGTH}}}"
)
EXAMPLE: Final = f"{_LIVE}_{'x' * _HANDLE_LENGTH}_{'x' * _SECRET_LENGTH}"
"""An example of a token, of no key."""


class Token(NamedTuple):
    """A token: its prefix and handle, which may be shown, and the whole text, which may not."""

    prefix: str
    handle: str
    text: str

    @property
    def digest(self) -> bytes:
        """The SHA-256 that is stored."""
        return sha256(self.text.encode()).digest()

    def fits(self, digest: bytes | memoryview) -> bool:
        """Whether the token has this digest, compared in constant time."""
        return compare_digest(self.digest, bytes(digest))


def token_prefix() -> str:
    """How the tokens of this installation begin."""
    return _TEST if settings.SANDBOX else _LIVE


def new_handle() -> str:
    """A random handle, the part of a key that may be shown."""
    return _letters(_HANDLE_LENGTH)


def new_token(handle: str) -> Token:
    """A token with a random secret for the key with this handle."""
    prefix = token_prefix()
    return Token(prefix, handle, f"{prefix}_{handle}_{_letters(_SECRET_LENGTH)}")


def parse_token(text: str) -> Token | None:
    """The token in a text, of whichever kind of installation; None if it is malformed."""
    match = _TOKEN.fullmatch(text)
    return Token(match["prefix"], match["handle"], text) if match else None


def _letters(count: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(count))

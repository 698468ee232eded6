"""Tokens: what a program sends to prove which key it has. Made here, shown once, kept nowhere."""

import re
import secrets
import string
from hashlib import sha256
from hmac import compare_digest
from typing import Final, NamedTuple

_ALPHABET: Final = string.ascii_letters + string.digits
_HANDLE_LENGTH: Final = 12
_SECRET_LENGTH: Final = 43  # of 62 letters each: 256 bits
_TOKEN: Final = re.compile(
    rf"sabot_live_(?P<handle>[A-Za-z0-9]{{{_HANDLE_LENGTH}}})_[A-Za-z0-9]{{{_SECRET_LENGTH}}}"
)
EXAMPLE: Final = f"sabot_live_{'x' * _HANDLE_LENGTH}_{'x' * _SECRET_LENGTH}"
"""A token as it looks, of no key."""


class Token(NamedTuple):
    """A token: the key's handle, which may be shown, and the whole of it, which may not."""

    handle: str
    text: str

    @property
    def digest(self) -> bytes:
        """What is kept of it."""
        return sha256(self.text.encode()).digest()

    def fits(self, digest: bytes | memoryview) -> bool:
        """Whether it is the token that was kept; takes as long for a wrong one."""
        return compare_digest(self.digest, bytes(digest))


def new_handle() -> str:
    """The part of a new key that may be shown."""
    return _letters(_HANDLE_LENGTH)


def new_token(handle: str) -> Token:
    """A token with a new secret for the key of this handle."""
    return Token(handle, f"sabot_live_{handle}_{_letters(_SECRET_LENGTH)}")


def token_of(text: str) -> Token | None:
    """The token that a text is; None for what is none."""
    found = _TOKEN.fullmatch(text)
    return Token(found["handle"], text) if found else None


def _letters(count: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(count))

"""API tokens: generated here, shown once, stored as a digest."""

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
"""An example of a token, of no key."""


class Token(NamedTuple):
    """A token: the key's handle, which may be shown, and the whole text, which may not."""

    handle: str
    text: str

    @property
    def digest(self) -> bytes:
        """The SHA-256 that is stored."""
        return sha256(self.text.encode()).digest()

    def fits(self, digest: bytes | memoryview) -> bool:
        """Whether the token has this digest, compared in constant time."""
        return compare_digest(self.digest, bytes(digest))


def new_handle() -> str:
    """A random handle, the part of a key that may be shown."""
    return _letters(_HANDLE_LENGTH)


def new_token(handle: str) -> Token:
    """A token with a random secret for the key with this handle."""
    return Token(handle, f"sabot_live_{handle}_{_letters(_SECRET_LENGTH)}")


def parse_token(text: str) -> Token | None:
    """The token in a text; None if it is malformed."""
    match = _TOKEN.fullmatch(text)
    return Token(match["handle"], text) if match else None


def _letters(count: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(count))

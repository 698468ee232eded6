"""Deterministic UUIDs of rounds and of other objects that the feed or the operator names."""

import hashlib
from typing import Final
from uuid import UUID

_RANDOM_BITS: Final = 74
_VERSION: Final = 0x7
_VARIANT: Final = 0b10


def round_id(*, reference: str, opened_at: int) -> UUID:
    """The version 7 UUID (RFC 9562) of a round, with a digest in place of the random bits.

    The same round always has the same id. ``opened_at`` is in milliseconds since 1970, before the
    year 10000. Times before 1970 count as 0.
    """
    return identity(name=reference, at=opened_at)


def identity(*, name: str, at: int) -> UUID:
    """The id of a named object; a name with a space cannot clash with a round's."""
    digest = int.from_bytes(hashlib.sha256(name.encode()).digest()) % (1 << _RANDOM_BITS)
    high, low = divmod(digest, 1 << 62)
    time = max(at, 0)
    return UUID(int=(time << 80) | (_VERSION << 76) | (high << 64) | (_VARIANT << 62) | low)

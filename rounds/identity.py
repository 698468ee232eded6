"""The identity of a round, or of what else the feed or the operator names, inside Sabot."""

import hashlib
from typing import Final
from uuid import UUID

_RANDOM_BITS: Final = 74
_VERSION: Final = 0x7
_VARIANT: Final = 0b10


def round_id(*, reference: str, opened_at: int) -> UUID:
    """The version 7 UUID (RFC 9562) of a round: its opening time, and a digest where others roll.

    The same round has the same id wherever and however often it arrives. ``opened_at`` is in
    milliseconds since 1970, and ends before the year 10000. Such an id tells no time before 1970:
    rounds of a clock that stood so are the first of all, in no order among themselves.
    """
    return identity(name=reference, at=opened_at)


def identity(*, name: str, at: int) -> UUID:
    """The id of what has a name and a time; names of rounds have no space, so others need one."""
    digest = int.from_bytes(hashlib.sha256(name.encode()).digest()) % (1 << _RANDOM_BITS)
    high, low = divmod(digest, 1 << 62)
    time = max(at, 0)
    return UUID(int=(time << 80) | (_VERSION << 76) | (high << 64) | (_VARIANT << 62) | low)

"""The ids of batches of audit records, and of the records in them."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_POSITION_BITS: Final = 24
_LOW_BITS: Final = 38
"""Bits of a batch's number after the variant of the UUID; twelve more precede it."""

_VERSION: Final = 0x7
_VARIANT: Final = 0b10
MOST_RECORDS: Final = 1 << _POSITION_BITS
"""The number of records that fit behind the id of one batch."""


def batch_id(at: datetime, *, number: int) -> UUID:
    """The version 7 UUID (RFC 9562) of a batch: its time, its number, and 24 bits of zero.

    Numbers ascend over all batches, which orders those of one millisecond.
    """
    high, low = divmod(number, 1 << _LOW_BITS)
    return UUID(
        int=(milliseconds_of(at) << 80)
        | (_VERSION << 76)
        | (high << 64)
        | (_VARIANT << 62)
        | (low << _POSITION_BITS)
    )


def milliseconds_of(at: datetime) -> int:
    """Milliseconds since 1970, the first part of an id."""
    return (at - _EPOCH) // _MILLISECOND


def record_id(batch: UUID, position: int) -> UUID:
    """The id of the record at this position, from 0: the id of its batch plus the position."""
    return UUID(int=batch.int + position)


def batch_of(record: UUID) -> UUID:
    """The id of the batch that a record belongs to."""
    return UUID(int=record.int >> _POSITION_BITS << _POSITION_BITS)

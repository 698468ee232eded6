"""Reading every record of the log from a cursor, and noticing records that are missing.

The cursor is that of ``log_reader``: the number of records read so far, lost ones included. Two
persons may have declared a tail of the log lost (``log_gaps``): a reader then continues after it.
Records that are missing otherwise are an error, so that nobody passes them unnoticed.
"""

import json
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.trail.batches import batch_of, record_id
from compliance.trail.log.log_reader import batches_after, log_size
from compliance.trail.models import LogGap, TreeHead

# PostgreSQL has times that Python cannot represent. Nobody is to hide records behind one.
_RECORDS: Final = """
    SELECT record.*
      FROM unnest(%s::uuid[], %s::uuid[]) WITH ORDINALITY AS batch (first, last, position),
           LATERAL (SELECT id, least(greatest(at, '0001-01-02'), '9999-12-30'),
                           actor, actor_user_id, action, subject, details, leaf
                      FROM trail_auditrecord WHERE id >= batch.first AND id <= batch.last) AS record
     ORDER BY batch.position, record.id
"""


class RecordsMissing(Exception):
    """Records of the log are not in the database, and no two persons have declared them lost."""


class WholeRecord(NamedTuple):
    """A record of the log, complete, with its position: ``leaf``, from 0."""

    leaf: int
    id: UUID
    at: datetime
    actor: str
    actor_user_id: int | None
    action: str
    subject: str
    details: Any
    """None if they are no JSON."""
    hash: bytes
    """Its leaf hash in the log."""


def read_whole_log(*, seen: int, most: int) -> list[WholeRecord]:
    """The next records after the first ``seen`` of the log, at most ``most``; none at its end.

    They end before those that are missing. Raises RecordsMissing if these are the next.
    """
    size = log_size()
    records = _records(seen, most=most)
    first = records[0].leaf if records else max(size, seen)
    if first != seen:
        _require_declared(seen, first)
    in_a_row = (record.leaf == first + place for place, record in enumerate(records))
    return [record for record, is_next in zip(records, in_a_row, strict=True) if is_next]


def _records(seen: int, *, most: int) -> list[WholeRecord]:
    firsts: dict[UUID, int] = {}
    ranges: list[tuple[UUID, UUID]] = []
    for batch, first_leaf, count in batches_after(seen)[0]:
        skipped = max(seen - first_leaf, 0)
        taken = min(count - skipped, most)
        if taken > 0:
            most -= taken
            firsts[batch] = first_leaf
            ranges.append((record_id(batch, skipped), record_id(batch, skipped + taken - 1)))
    with connection.cursor() as cursor:
        cursor.execute(_RECORDS, [[lo for lo, _hi in ranges], [hi for _lo, hi in ranges]])
        return [_record(row, firsts) for row in cursor.fetchall()]


def _record(row: tuple[Any, ...], firsts: dict[UUID, int]) -> WholeRecord:
    key, *columns, details, leaf_hash = row
    batch = batch_of(key)
    leaf = firsts[batch] + key.int - batch.int
    return WholeRecord._make((leaf, key, *columns, _parsed(details), bytes(leaf_hash)))


def _parsed(details: str) -> Any:
    """The JSON value; None for a text that is none, which a tampered record may have."""
    try:
        return json.loads(details)
    except (ValueError, RecursionError):
        return None


def _require_declared(first: int, end: int) -> None:
    """Raises RecordsMissing unless the records from ``first`` to before ``end`` are declared lost.

    A cursor may be inside of the lost records.
    """
    for gap in LogGap.objects.all():
        sizes = TreeHead.objects.in_bulk([gap.after, gap.sequence])
        if sizes[gap.after].size <= first and end == sizes[gap.sequence].size:
            return
    raise RecordsMissing(
        f"found no records {first} to {end - 1} of the log; needed them, or a declaration by two"
        " persons that they are lost (docs/administrator/restore.md)"
    )

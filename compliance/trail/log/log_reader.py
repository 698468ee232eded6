"""Reading the log in its order, page by page, from a cursor.

The cursor is the number of records read so far. Batches are added under a lock, one head at a time,
and become visible with their head; their positions never change. So a reader that continues from
its cursor skips no record and repeats none, however many writers there are.
"""

import json
from collections.abc import Collection
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from compliance.trail.batches import batch_of
from compliance.trail.models import AuditRecord, LoggedBatch, TreeHead

_MOST_BATCHES: Final = 1_000
_MOST_RECORDS: Final = 5_000
"""The number of records that a page searches, unless a single batch has more."""
_START: Final = "SELECT max(first_leaf) FROM trail_loggedbatch WHERE first_leaf <= %s"
_BATCHES: Final = """
    SELECT logged.batch_id, logged.first_leaf, batch.record_count
      FROM trail_loggedbatch AS logged JOIN trail_auditbatch AS batch ON batch.id = logged.batch_id
     WHERE logged.first_leaf >= %s
     ORDER BY logged.first_leaf
     LIMIT %s
"""
# A record's id is that of its batch with the position in its last six digits.
_RECORDS: Final = """
    SELECT batch.first_leaf + ('x' || right(record.id::text, 6))::bit(24)::int AS leaf,
           record.id, record.at, record.action, record.subject, record.details
      FROM unnest(%s::uuid[], %s::bigint[]) AS batch (id, first_leaf),
           LATERAL (SELECT * FROM trail_auditrecord
                     WHERE id >= batch.id
                       AND id <= (left(batch.id::text, 30) || 'ffffff')::uuid
                       AND action = ANY(%s)) AS record
     WHERE batch.first_leaf + ('x' || right(record.id::text, 6))::bit(24)::int >= %s
     ORDER BY leaf
     LIMIT %s
"""


class LoggedRecord(NamedTuple):
    """A record with its position in the log: ``leaf``, from 0."""

    leaf: int
    id: UUID
    at: datetime
    action: str
    subject: str
    details: Any


class LogPage(NamedTuple):
    """Records of the log, and the cursor after them: how many of its records were read."""

    records: list[LoggedRecord]
    seen: int
    is_end: bool
    """Whether the end of the log is reached."""


def read_log(*, seen: int, actions: Collection[str], most: int) -> LogPage:
    """The next records of these actions, at most ``most``, after the first ``seen`` of the log.

    A page searches a few thousand records, so it may be empty before the end of the log.
    """
    batches, is_end = batches_after(seen)
    if not batches:
        return LogPage([], seen, is_end=True)
    ids, firsts, counts = zip(*batches, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_RECORDS, [list(ids), list(firsts), list(actions), seen, most + 1])
        page = [LoggedRecord._make((*row[:5], json.loads(row[5]))) for row in cursor.fetchall()]
    if len(page) > most:
        return LogPage(page[:most], page[most - 1].leaf + 1, is_end=False)
    return LogPage(page, max(seen, firsts[-1] + counts[-1]), is_end)


def logged_record(record_id: UUID) -> LoggedRecord | None:
    """The record with this id; None if it is not in the log."""
    record = AuditRecord.objects.filter(id=record_id).first()
    logged = LoggedBatch.objects.filter(batch_id=batch_of(record_id)).first()
    if record is None or logged is None:
        return None
    leaf = logged.first_leaf + record_id.int - logged.batch_id.int
    return LoggedRecord(leaf, record.id, record.at, record.action, record.subject, record.details)


def log_size() -> int:
    """The number of records in the log."""
    last = TreeHead.objects.order_by("-sequence").first()
    return 0 if last is None else last.size


def batches_after(seen: int) -> tuple[list[tuple[UUID, int, int]], bool]:
    """The batches of the records after the first ``seen``, and whether they are the last."""
    with connection.cursor() as cursor:
        cursor.execute(_START, [seen])
        [start] = cursor.fetchone()
        cursor.execute(_BATCHES, [start or 0, _MOST_BATCHES])
        rows = cursor.fetchall()
    count, records = 0, 0
    while count < len(rows) and records < _MOST_RECORDS:
        records += rows[count][2]
        count += 1
    return rows[:count], count == len(rows) < _MOST_BATCHES

"""Following the log: what stands in it from a place on, in its order, some at a time.

A batch gets its place when it is added to the log, and keeps it. Batches are added one head at a
time, under a lock, and are seen with their head or not at all; so whoever has seen the first ``n``
records and goes on from there misses none and sees none twice, however many write meanwhile.
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
"""So many records are looked through at once, unless one batch alone has more."""
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
    SELECT batch.first_leaf + ('x' || right(found.id::text, 6))::bit(24)::int AS leaf,
           found.id, found.at, found.action, found.subject, found.details
      FROM unnest(%s::uuid[], %s::bigint[]) AS batch (id, first_leaf),
           LATERAL (SELECT * FROM trail_auditrecord AS record
                     WHERE record.id >= batch.id
                       AND record.id <= (left(batch.id::text, 30) || 'ffffff')::uuid
                       AND record.action = ANY(%s)) AS found
     WHERE batch.first_leaf + ('x' || right(found.id::text, 6))::bit(24)::int >= %s
     ORDER BY leaf
     LIMIT %s
"""


class LoggedRecord(NamedTuple):
    """A record with its place in the log: ``leaf``, counted from 0."""

    leaf: int
    id: UUID
    at: datetime
    action: str
    subject: str
    details: Any


class Followed(NamedTuple):
    """Records of the log, and how many of its records, the first ones, have been seen with them."""

    records: list[LoggedRecord]
    seen: int
    is_end: bool
    """Whether nothing more was in the log."""


def follow_log(*, seen: int, actions: Collection[str], most: int) -> Followed:
    """The next records of these actions, at most so many, after the first ``seen`` of the log.

    It looks at a few thousand records however rare the actions are, so there may be none and the
    end not reached all the same.
    """
    batches, is_end = _batches(seen)
    if not batches:
        return Followed([], seen, is_end=True)
    ids, firsts, counts = zip(*batches, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_RECORDS, [list(ids), list(firsts), list(actions), seen, most + 1])
        found = [LoggedRecord._make((*row[:5], json.loads(row[5]))) for row in cursor.fetchall()]
    if len(found) > most:
        return Followed(found[:most], found[most - 1].leaf + 1, is_end=False)
    return Followed(found, max(seen, firsts[-1] + counts[-1]), is_end)


def logged_record(record_id: UUID) -> LoggedRecord | None:
    """The record of this id; None where there is none in the log."""
    record = AuditRecord.objects.filter(id=record_id).first()
    logged = LoggedBatch.objects.filter(batch_id=batch_of(record_id)).first()
    if record is None or logged is None:
        return None
    leaf = logged.first_leaf + record_id.int - logged.batch_id.int
    return LoggedRecord(leaf, record.id, record.at, record.action, record.subject, record.details)


def log_size() -> int:
    """How many records the log has."""
    last = TreeHead.objects.order_by("-sequence").first()
    return 0 if last is None else last.size


def _batches(seen: int) -> tuple[list[tuple[UUID, int, int]], bool]:
    """The batches that hold the record after the first ``seen`` and those after it."""
    with connection.cursor() as cursor:
        cursor.execute(_START, [seen])
        [start] = cursor.fetchone()
        cursor.execute(_BATCHES, [start or 0, _MOST_BATCHES])
        found = cursor.fetchall()
    taken, records = 0, 0
    while taken < len(found) and records < _MOST_RECORDS:
        records += found[taken][2]
        taken += 1
    return found[:taken], taken == len(found) < _MOST_BATCHES

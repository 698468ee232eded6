"""Writing audit records."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, cast
from uuid import UUID

from django.db import connection

from compliance.storage.copy_rows import copy_lines
from compliance.storage.copy_text import NULL, escaped, moment, octets
from compliance.storage.prepared_statements import execute_prepared, fetch_rows
from compliance.trail.actor import Actor
from compliance.trail.announcements import announce_records
from compliance.trail.batches import batch_id, milliseconds_of, record_id
from compliance.trail.encoding import json_of, leaves_of
from compliance.trail.log.merkle_tree import root_of
from compliance.trail.models import AuditRecord

_COLUMNS: Final = ("id", "at", "actor", "actor_user_id", "action", "subject", "details", "leaf")
_BATCH: Final = """
    WITH batch AS (
        INSERT INTO trail_auditbatch (id, at, record_count, root) VALUES (%s, %s, %s, %s)
        RETURNING id
    )
    INSERT INTO trail_pendingbatch (batch_id) SELECT id FROM batch
"""
# The id is built as in ``batches.batch_id``: time, version, the number around the variant.
_ONE: Final = """
    WITH numbered AS MATERIALIZED (SELECT nextval('trail_batch') AS number),
    named AS MATERIALIZED (
        SELECT (lpad(to_hex(%(milliseconds)s::bigint), 12, '0')
                || '7' || lpad(to_hex(number >> 38), 3, '0')
                || to_hex((1::bigint << 63) | ((number & ((1::bigint << 38) - 1)) << 24))
               )::uuid AS id
          FROM numbered
    ), batch AS (
        INSERT INTO trail_auditbatch (id, at, record_count, root)
        SELECT id, %(at)s, 1, %(leaf)s FROM named
    ), pending AS (
        INSERT INTO trail_pendingbatch (batch_id) SELECT id FROM named
    )
    INSERT INTO trail_auditrecord (id, at, actor, actor_user_id, action, subject, details, leaf)
    SELECT id, %(at)s, %(actor)s, %(user)s, %(action)s, %(subject)s, %(details)s, %(leaf)s
      FROM named
    RETURNING id
"""


class Entry(NamedTuple):
    """An audit record to be written. ``details`` holds JSON values only."""

    action: str
    subject: str
    details: Mapping[str, Any]


def record_entries(entries: Iterable[Entry], *, at: datetime, actor: Actor) -> None:
    """Writes the entries in their order as one batch, in the current transaction.

    A single entry is a single statement, atomic even outside of a transaction.
    """
    records = [(action, subject, json_of(details)) for action, subject, details in entries]
    if not records:
        return
    leaves = list(leaves_of(records, at=at, actor=actor))
    if len(records) == 1:
        execute_prepared(_ONE, _values(*records[0], leaf=leaves[0], at=at, actor=actor))
    else:
        _record_many(records, leaves, at=at, actor=actor)
    announce_records((action, subject) for action, subject, _details in records)


def record_entry(entry: Entry, *, at: datetime, actor: Actor) -> UUID:
    """Writes one entry as a batch of its own, in the current transaction; returns its id."""
    record = (entry.action, entry.subject, json_of(entry.details))
    [leaf] = leaves_of([record], at=at, actor=actor)
    [[key]] = fetch_rows(_ONE, _values(*record, leaf=leaf, at=at, actor=actor))
    announce_records([(entry.action, entry.subject)])
    return cast("UUID", key)


def _values(
    action: str, subject: str, details: str, *, leaf: bytes, at: datetime, actor: Actor
) -> dict[str, Any]:
    """Those of a batch of one record, whose root is its leaf (RFC 9162, section 2.1.1)."""
    return {
        "milliseconds": milliseconds_of(at),
        "at": at,
        "actor": actor.name,
        "user": actor.user_id,
        "action": action,
        "subject": subject,
        "details": details,
        "leaf": leaf,
    }


def _record_many(
    records: Sequence[tuple[str, str, str]],
    leaves: Sequence[bytes],
    *,
    at: datetime,
    actor: Actor,
) -> None:
    batch = batch_id(at, number=_next_number())
    user = NULL if actor.user_id is None else actor.user_id
    time_and_actor = f"{moment(at)}\t{escaped(actor.name)}\t{user}"
    copy_lines(
        AuditRecord,
        _COLUMNS,
        (
            f"{record_id(batch, position).hex}\t{time_and_actor}\t{action}\t{escaped(subject)}"
            f"\t{escaped(details)}\t{octets(leaves[position])}\n"
            for position, (action, subject, details) in enumerate(records)
        ),
    )
    with connection.cursor() as cursor:
        cursor.execute(_BATCH, [batch, at, len(records), root_of(leaves)])


def _next_number() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT nextval('trail_batch')")
        [number] = cursor.fetchone()
    return int(number)

"""Writing to the trail."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection

from compliance.trail.actor import Actor
from compliance.trail.batches import batch_id, record_id
from compliance.trail.copying import NULL, copy_lines, escaped, moment, octets
from compliance.trail.encoding import json_of, leaves_of
from compliance.trail.models import AuditRecord
from compliance.trail.tree import root_of

_COLUMNS: Final = ("id", "at", "actor", "actor_user_id", "action", "subject", "details", "leaf")
_BATCH: Final = """
    WITH batch AS (
        INSERT INTO trail_auditbatch (id, at, record_count, root) VALUES (%s, %s, %s, %s)
        RETURNING id
    )
    INSERT INTO trail_pendingbatch (batch_id) SELECT id FROM batch
"""


class Entry(NamedTuple):
    """One thing to be recorded. ``details`` holds JSON values only."""

    action: str
    subject: str
    details: Mapping[str, Any]


def record_entries(entries: Iterable[Entry], *, at: datetime, actor: Actor) -> None:
    """Adds one audit record an entry, in the current transaction, in their order, as one batch."""
    records = [(action, subject, json_of(details)) for action, subject, details in entries]
    if not records:
        return
    leaves = list(leaves_of(records, at=at, actor=actor))
    batch = batch_id(at, number=_next_number())
    user = NULL if actor.user_id is None else actor.user_id
    who = f"{moment(at)}\t{escaped(actor.name)}\t{user}"
    copy_lines(
        AuditRecord,
        _COLUMNS,
        (
            f"{record_id(batch, position).hex}\t{who}\t{action}\t{escaped(subject)}"
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

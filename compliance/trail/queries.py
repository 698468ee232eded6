"""Queries of the audit trail."""

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from compliance.storage.prepared_statements import PendingResult, send_query
from compliance.trail.batches import milliseconds_of
from compliance.trail.models import AuditRecord

_EVENTS: Final = """
    SELECT id, at, action, actor
      FROM trail_auditrecord
     WHERE subject = %(subject)s
       AND (%(after)s::uuid IS NULL OR id > %(after)s)
       AND (%(actions)s::text[] IS NULL OR action = ANY(%(actions)s))
     ORDER BY id LIMIT %(most)s
"""


class Event(NamedTuple):
    """An audit record without its details."""

    id: UUID
    at: datetime
    action: str
    actor: str


def records_of(subject: str) -> QuerySet[AuditRecord]:
    """The audit records of a subject, oldest first."""
    return AuditRecord.objects.filter(subject=subject).order_by("id")


def ask_events(
    subject: str,
    *,
    most: int,
    after: UUID | None = None,
    actions: Collection[str] | None = None,
) -> PendingResult[list[Event]]:
    """Sends the query for at most so many records of a subject, of these actions, oldest first."""
    values = {
        "subject": subject,
        "after": after,
        "actions": None if actions is None else list(actions),
        "most": most,
    }
    return send_query(_EVENTS, values, lambda rows: [Event(*row) for row in rows])


def changes_after(subject: str, action: str, *, version: int) -> list[AuditRecord]:
    """The records of this action whose details have a later version, newest first."""
    changes = records_of(subject).filter(action=action).order_by("-id")
    return [record for record in changes if record.details.get("version", 0) > version]


def records_since(records: QuerySet[AuditRecord], at: datetime) -> QuerySet[AuditRecord]:
    """Those of the records that were written at this time or later."""
    return records.filter(id__gte=_first_id(at), at__gte=at)


def records_before(records: QuerySet[AuditRecord], at: datetime) -> QuerySet[AuditRecord]:
    """Those of the records that were written before this time."""
    return records.filter(id__lt=_first_id(at), at__lt=at)


def _first_id(at: datetime) -> UUID:
    """The least possible id of records written at this time or later (``batches.batch_id``)."""
    return UUID(int=max(milliseconds_of(at), 0) << 80)

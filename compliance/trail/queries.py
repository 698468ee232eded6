"""Reading the trail."""

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from compliance.trail.models import AuditRecord
from compliance.trail.prepared import Pending, ask

_EVENTS: Final = """
    SELECT id, at, action, actor
      FROM trail_auditrecord
     WHERE subject = %(subject)s
       AND (%(after)s::uuid IS NULL OR id > %(after)s)
       AND (%(actions)s::text[] IS NULL OR action = ANY(%(actions)s))
     ORDER BY id LIMIT %(most)s
"""


class Event(NamedTuple):
    """What was recorded, when and by whom, without its details."""

    id: UUID
    at: datetime
    action: str
    actor: str


def records_of(subject: str) -> QuerySet[AuditRecord]:
    """Everything that was recorded about a subject, oldest first."""
    return AuditRecord.objects.filter(subject=subject).order_by("id")


def ask_events(
    subject: str,
    *,
    most: int,
    after: UUID | None = None,
    actions: Collection[str] | None = None,
) -> Pending[list[Event]]:
    """Asks for the next so many records about a subject, of these actions only, oldest first."""
    asked = {
        "subject": subject,
        "after": after,
        "actions": None if actions is None else list(actions),
        "most": most,
    }
    return ask(_EVENTS, asked, lambda rows: [Event(*row) for row in rows])


def changes_after(subject: str, action: str, *, version: int) -> list[AuditRecord]:
    """The records of this action whose details name a later version, newest first."""
    changes = records_of(subject).filter(action=action).order_by("-id")
    return [one for one in changes if one.details.get("version", 0) > version]

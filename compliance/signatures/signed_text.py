"""The texts that persons sign: canonical audit records (RFC 8785), as JSON arrays if several."""

from datetime import datetime

from compliance.trail.actor import Actor
from compliance.trail.encoding import record_text
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry


def decision_text(entry: Entry, *, at: datetime, actor: Actor) -> str:
    """The text that the actor signs."""
    return record_text(
        at=at, actor=actor, action=entry.action, subject=entry.subject, details=entry.details
    )


def text_of_record(record: AuditRecord) -> str:
    """The text that the record's actor signed, made from the record."""
    entry = Entry(record.action, record.subject, record.details)
    return decision_text(entry, at=record.at, actor=Actor(record.actor, record.actor_user_id))


def joint_text(texts: list[str]) -> str:
    """The text that signs one or several records."""
    return texts[0] if len(texts) == 1 else f"[{','.join(texts)}]"

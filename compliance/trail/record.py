"""Writing to the trail."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from compliance.trail.actor import Actor
from compliance.trail.append_only import copy_rows
from compliance.trail.encoding import leaf_of
from compliance.trail.models import AuditRecord

_COLUMNS: Final = ("at", "actor", "actor_user_id", "action", "subject", "details", "leaf")


class Entry(NamedTuple):
    """One thing to be recorded. ``details`` holds JSON values only."""

    action: str
    subject: str
    details: Mapping[str, Any]


def record_entries(entries: Iterable[Entry], *, at: datetime, actor: Actor) -> None:
    """Adds one audit record an entry, in the current transaction, in their order."""
    copy_rows(
        AuditRecord,
        _COLUMNS,
        (
            (
                at,
                actor.name,
                actor.user_id,
                entry.action,
                entry.subject,
                json.dumps(entry.details),
                leaf_of(
                    at=at,
                    actor=actor,
                    action=entry.action,
                    subject=entry.subject,
                    details=entry.details,
                ),
            )
            for entry in entries
        ),
    )

"""How far the receivers of the SIEM are behind the signed log."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from compliance.siem.models import SiemCursor
from compliance.trail.log.log_reader import log_size
from compliance.trail.models import TreeHead

LATE: Final = timedelta(minutes=10)
"""Records are sent within seconds after they were signed."""


class Backlog(NamedTuple):
    """What a receiver has not confirmed yet."""

    receiver: str
    records: int
    waits_since: datetime | None
    """When the oldest of the records was signed; None without one."""
    error: str
    """Why the last attempt failed; empty if it succeeded."""

    def is_late(self, now: datetime) -> bool:
        """Whether a record waits for too long."""
        return self.waits_since is not None and now - self.waits_since > LATE


def current_backlogs() -> list[Backlog]:
    """Those of all receivers. Reads a few rows, however long the log is."""
    size = log_size()
    return [
        Backlog(cursor.receiver, max(size - cursor.seen, 0), _signed_at(cursor.seen), cursor.error)
        for cursor in SiemCursor.objects.order_by("receiver")
    ]


def _signed_at(leaf: int) -> datetime | None:
    head = TreeHead.objects.filter(size__gt=leaf).order_by("size").first()
    return None if head is None else head.at

"""How the log stands, and where a record stands in it."""

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from compliance.trail.batches import batch_of
from compliance.trail.models import LoggedBatch, PendingBatch, TreeHead

LATE: Final = timedelta(minutes=10)
"""Batches are added within seconds; one that waits longer has nobody who adds it."""

_MOST_COUNTED: Final = 999


class LogState(NamedTuple):
    """The last head, and what no head covers yet."""

    head: TreeHead | None
    waiting: int
    """Batches, never counted beyond 999."""
    waits_since: datetime | None
    """The time of the first of them."""

    def is_late(self, now: datetime) -> bool:
        """Whether nobody adds to the log any more."""
        return self.waits_since is not None and now - self.waits_since > LATE


class Place(NamedTuple):
    """Where a record stands: its leaf, counted from 0, and the first head that covers it."""

    leaf: int
    head: TreeHead


def log_state() -> LogState:
    """The log as it is now; a few rows are read, however long it is."""
    waiting = PendingBatch.objects.order_by("batch_id").values_list("batch_id", flat=True)
    ids = list(waiting[:_MOST_COUNTED])
    since = datetime.fromtimestamp((ids[0].int >> 80) / 1000, UTC) if ids else None
    return LogState(TreeHead.objects.order_by("-sequence").first(), len(ids), since)


def place_of(record_id: UUID) -> Place | None:
    """None while its batch waits for the log."""
    logged = LoggedBatch.objects.filter(batch_id=batch_of(record_id)).first()
    if logged is None:
        return None
    leaf = logged.first_leaf + record_id.int - logged.batch_id.int
    covering = TreeHead.objects.filter(size__gt=leaf).select_related("key").order_by("size")
    head = covering.first()
    return None if head is None else Place(leaf, head)

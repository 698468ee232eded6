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
        return _is_late(self.waits_since, now)


class Place(NamedTuple):
    """Where a record stands: its leaf, counted from 0, and the first head that covers it."""

    leaf: int
    head: TreeHead


def log_state() -> LogState:
    """The log as it is now; a few rows are read, however long it is."""
    ids = _first_waiting(_MOST_COUNTED)
    return LogState(TreeHead.objects.order_by("-sequence").first(), len(ids), _time_of(ids))


def unsigned_since(now: datetime) -> datetime | None:
    """Since when nobody adds to the log any more; None while somebody does."""
    since = _time_of(_first_waiting(1))
    return since if _is_late(since, now) else None


def _is_late(since: datetime | None, now: datetime) -> bool:
    return since is not None and now - since > LATE


def _first_waiting(most: int) -> list[UUID]:
    waiting = PendingBatch.objects.order_by("batch_id").values_list("batch_id", flat=True)
    return list(waiting[:most])


def _time_of(batches: list[UUID]) -> datetime | None:
    return datetime.fromtimestamp((batches[0].int >> 80) / 1000, UTC) if batches else None


def place_of(record_id: UUID) -> Place | None:
    """None while its batch waits for the log."""
    logged = LoggedBatch.objects.filter(batch_id=batch_of(record_id)).first()
    if logged is None:
        return None
    leaf = logged.first_leaf + record_id.int - logged.batch_id.int
    covering = TreeHead.objects.filter(size__gt=leaf).select_related("key").order_by("size")
    head = covering.first()
    return None if head is None else Place(leaf, head)

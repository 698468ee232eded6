"""The status of the log, and the position of a record in it."""

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from compliance.trail.actor import Actor
from compliance.trail.batches import batch_of, record_id
from compliance.trail.encoding import leaf_of
from compliance.trail.log.merkle_tree import root_of
from compliance.trail.models import (
    AuditBatch,
    AuditRecord,
    LoggedBatch,
    PendingBatch,
    TreeHead,
)

LATE: Final = timedelta(minutes=10)
"""Batches are added within seconds; if one is pending longer, no worker adds to the log."""

_MOST_COUNTED: Final = 999


class LogStatus(NamedTuple):
    """The last head and the pending batches."""

    head: TreeHead | None
    waiting: int
    """The number of pending batches, counted up to 999."""
    waits_since: datetime | None
    """The time of the oldest pending batch."""

    def is_late(self, now: datetime) -> bool:
        """Whether no worker adds to the log any more."""
        return _is_late(self.waits_since, now)


class LogPosition(NamedTuple):
    """The position of a record: its leaf, from 0, and the first head that covers it."""

    leaf: int
    head: TreeHead


def current_log_status() -> LogStatus:
    """The status of the log. Reads a few rows, however long the log is."""
    ids = _first_pending(_MOST_COUNTED)
    return LogStatus(TreeHead.objects.order_by("-sequence").first(), len(ids), _time_of(ids))


def oldest_pending() -> datetime | None:
    """The time of the oldest batch that is not in the signed log yet."""
    return _time_of(_first_pending(1))


def unsigned_since(now: datetime) -> datetime | None:
    """Since when no worker adds to the log; None if the log is up to date."""
    since = oldest_pending()
    return since if _is_late(since, now) else None


def _is_late(since: datetime | None, now: datetime) -> bool:
    return since is not None and now - since > LATE


def _first_pending(most: int) -> list[UUID]:
    pending = PendingBatch.objects.order_by("batch_id").values_list("batch_id", flat=True)
    return list(pending[:most])


def _time_of(batches: list[UUID]) -> datetime | None:
    return datetime.fromtimestamp((batches[0].int >> 80) / 1000, UTC) if batches else None


def position_of(record: UUID) -> LogPosition | None:
    """The position of the record with this id; None while its batch is pending."""
    logged = LoggedBatch.objects.filter(batch_id=batch_of(record)).first()
    if logged is None:
        return None
    leaf = logged.first_leaf + record.int - logged.batch_id.int
    covering = TreeHead.objects.filter(size__gt=leaf).select_related("key").order_by("size")
    head = covering.first()
    return None if head is None else LogPosition(leaf, head)


def is_in_log_or_pending(record: AuditRecord) -> bool:
    """Whether the record is a leaf of its batch, which is in the log or is the next to be added.

    Its writer can no longer withhold it from the log: only the log removes pending batches.
    """
    key = batch_of(record.id)
    batch = AuditBatch.objects.filter(pk=key).first()
    # In this order: a batch that the log takes in between is no longer pending, and is in the log.
    if batch is None or not any(
        rows.objects.filter(batch_id=key).exists() for rows in (PendingBatch, LoggedBatch)
    ):
        return False
    actor = Actor(record.actor, record.actor_user_id)
    said = {"action": record.action, "subject": record.subject, "details": record.details}
    records = AuditRecord.objects.filter(id__gte=key, id__lte=record_id(key, batch.record_count))
    leaves = [bytes(leaf) for leaf in records.order_by("id").values_list("leaf", flat=True)]
    return (
        leaf_of(at=record.at, actor=actor, **said) == bytes(record.leaf)
        and len(leaves) == batch.record_count
        and root_of(leaves) == bytes(batch.root)
    )

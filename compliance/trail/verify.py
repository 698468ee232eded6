"""Whether the trail is as it was written: every leaf, every batch's root, every record's batch."""

from collections.abc import Callable, Iterator
from datetime import datetime
from enum import StrEnum
from itertools import groupby, islice
from typing import Any, Final, NamedTuple
from uuid import UUID

from compliance.trail.actor import Actor
from compliance.trail.batches import batch_of, root_of
from compliance.trail.encoding import json_of, leaves_of
from compliance.trail.models import AuditBatch, AuditRecord
from compliance.trail.stretches import Stretch

_AT_ONCE: Final = 2_000
_FIELDS: Final = ("id", "at", "actor", "actor_user_id", "action", "subject", "details", "leaf")


class FaultKind(StrEnum):
    """What may be wrong with the trail."""

    LEAF = "leaf"
    """A record no longer fits its digest: it was changed."""
    RECORDS_MISSING = "records_missing"
    """Records of a batch are gone."""
    RECORDS_ADDED = "records_added"
    """There are records that no batch knows of."""
    ROOT = "root"
    """The leaves of a batch no longer give its root."""
    BATCH_TIME = "batch_time"
    """A batch has another time than its records."""


class Fault(NamedTuple):
    """One thing that is wrong, where it is, and what was found for what was expected."""

    kind: FaultKind
    batch: UUID
    positions: tuple[int, int] | None
    """The first and the last record that it is about; None for the batch itself."""
    found: str | None
    expected: str | None


class _Batch(NamedTuple):
    """A batch as it stands in its table; a batch that is not there has no records."""

    id: UUID
    at: datetime | None = None
    record_count: int = 0
    root: bytes = b""


Report = Callable[[Fault], None]


def verify_stretch(stretch: Stretch, *, report: Report) -> int:
    """Looks at every batch and record of a stretch, reports what is wrong; gives how many records.

    Reads the records once, one after another, and keeps none of them: a stretch may be of any
    length. Batches that were taken out whole, records and all, leave nothing to find here.
    """
    read = 0
    batches = _batches(stretch)
    waiting = next(batches, None)
    for batch_id, members in groupby(_records(stretch), key=lambda row: batch_of(row[0])):
        while waiting is not None and waiting.id < batch_id:
            _verify_batch(waiting, iter(()), report)
            waiting = next(batches, None)
        found = _Batch(batch_id)
        if waiting is not None and waiting.id == batch_id:
            found, waiting = waiting, next(batches, None)
        read += _verify_batch(found, members, report)
    while waiting is not None:
        _verify_batch(waiting, iter(()), report)
        waiting = next(batches, None)
    return read


def _verify_batch(batch: _Batch, members: Iterator[tuple[Any, ...]], report: Report) -> int:
    walk = _Walk(batch, report)
    root = root_of(walk.leaves(members))
    walk.miss_until(batch.record_count)
    if walk.last >= batch.record_count:
        first = batch.record_count
        report(Fault(FaultKind.RECORDS_ADDED, batch.id, (first, walk.last), None, None))
    elif not walk.has_gaps and root != batch.root:
        report(Fault(FaultKind.ROOT, batch.id, None, root.hex(), batch.root.hex()))
    if walk.other_time is not None and batch.at is not None:
        times = batch.at.isoformat(), walk.other_time.isoformat()
        report(Fault(FaultKind.BATCH_TIME, batch.id, None, *times))
    return walk.read


class _Walk:
    """One way through the records of a batch."""

    def __init__(self, batch: _Batch, report: Report) -> None:
        self.read = 0
        self.last = -1
        """The position of the last record that was seen."""
        self.has_gaps = False
        self.other_time: datetime | None = None
        """Of a record, where it is not that of the batch."""
        self._batch = batch
        self._report = report

    def leaves(self, members: Iterator[tuple[Any, ...]]) -> Iterator[bytes]:
        """The leaves as they are stored; reports those that their records do not give."""
        for (at, name, user_id), alike in groupby(members, key=lambda row: row[1:4]):
            if at != self._batch.at:
                self.other_time = at
            while rows := list(islice(alike, _AT_ONCE)):
                records = [(row[4], row[5], json_of(row[6])) for row in rows]
                fitting = leaves_of(records, at=at, actor=Actor(name, user_id))
                for row, leaf in zip(rows, fitting, strict=True):
                    yield self._step(row[0].int - self._batch.id.int, bytes(row[7]), leaf)

    def _step(self, position: int, stored: bytes, fitting: bytes) -> bytes:
        self.miss_until(position)
        self.last = position
        self.read += 1
        if stored != fitting:
            where = self._batch.id, (position, position)
            self._report(Fault(FaultKind.LEAF, *where, stored.hex(), fitting.hex()))
        return stored

    def miss_until(self, position: int) -> None:
        """Reports the records between the last one seen and this position, if there are any."""
        first, last = self.last + 1, min(position, self._batch.record_count) - 1
        if first <= last:
            self.has_gaps = True
            self._report(
                Fault(FaultKind.RECORDS_MISSING, self._batch.id, (first, last), None, None)
            )


def _records(stretch: Stretch) -> Iterator[tuple[Any, ...]]:
    rows = AuditRecord.objects.filter(**_within(stretch)).order_by("id")
    return iter(rows.values_list(*_FIELDS).iterator(chunk_size=_AT_ONCE))


def _batches(stretch: Stretch) -> Iterator[_Batch]:
    rows = AuditBatch.objects.filter(**_within(stretch)).order_by("id")
    for identity, at, count, root in rows.values_list(*_Batch._fields).iterator(_AT_ONCE):
        yield _Batch(identity, at, count, bytes(root))


def _within(stretch: Stretch) -> dict[str, UUID]:
    ends = {"id__gte": stretch.first, "id__lt": stretch.end}
    return {name: end for name, end in ends.items() if end is not None}

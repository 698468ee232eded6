"""Verification of audit records: every leaf, every batch's root, every record's batch."""

from collections.abc import Callable, Iterator
from datetime import datetime
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple
from uuid import UUID

from compliance.trail.bulk_reader import StoredRecords, stored_records
from compliance.trail.encoding import datetime_of, microseconds_of
from compliance.trail.key_ranges import KeyRange
from compliance.trail.log.merkle_tree import HASH_BYTES, Peaks
from compliance.trail.models import AuditBatch, LoggedBatch

_AT_ONCE: Final = 2_000


class FaultKind(StrEnum):
    """Kinds of faults of the trail."""

    LEAF = "leaf"
    """A record does not match its digest: it was changed."""
    RECORDS_MISSING = "records_missing"
    """Records of a batch were deleted."""
    RECORDS_ADDED = "records_added"
    """There are records that belong to no batch."""
    ROOT = "root"
    """The leaves of a batch do not give its root."""
    BATCH_TIME = "batch_time"
    """A batch has another time than its records."""


class Fault(NamedTuple):
    """A fault: what is wrong, where, what was found and what was expected."""

    kind: FaultKind
    batch: UUID
    positions: tuple[int, int] | None
    """The first and the last record concerned; None for the batch itself."""
    found: str | None
    expected: str | None


class _Batch(NamedTuple):
    """A stored batch; a missing one has no records."""

    id: UUID
    at: datetime | None = None
    record_count: int = 0
    root: bytes = b""
    first_leaf: int | None = None
    """The position of its first record in the log; None while it is pending."""


Report = Callable[[Fault], None]
Witness = Callable[[int, bytes], None]
"""Receives computed leaves that follow each other in the log, and the position of the first."""


def verify_range(keys: KeyRange, *, report: Report, witness: Witness | None = None) -> int:
    """Verifies every batch and record of a key range; returns the number of records.

    Reads the records once and keeps none, so a range may be of any length. A batch that was deleted
    with all its records is not found here but by ``verify_log``.
    """
    return sum(_verify_part(part, iter(batches), report, witness) for part, batches in _parts(keys))


def _verify_part(
    part: KeyRange, batches: Iterator[_Batch], report: Report, witness: Witness | None
) -> int:
    read = 0
    waiting = next(batches, None)
    for batch_id, members in groupby(stored_records(part), key=attrgetter("batch")):
        while waiting is not None and waiting.id < batch_id:
            _BatchCheck(waiting, report, witness).verify(iter(()))
            waiting = next(batches, None)
        found = _Batch(batch_id)
        if waiting is not None and waiting.id == batch_id:
            found, waiting = waiting, next(batches, None)
        read += _BatchCheck(found, report, witness).verify(members)
    while waiting is not None:
        _BatchCheck(waiting, report, witness).verify(iter(()))
        waiting = next(batches, None)
    return read


class _BatchCheck:
    """The verification of one batch."""

    def __init__(self, batch: _Batch, report: Report, witness: Witness | None) -> None:
        self._batch = batch
        self._report = report
        self._witness = witness
        self._last = -1
        """The position of the last record that was read."""
        self._has_gaps = False

    def verify(self, members: Iterator[StoredRecords]) -> int:
        """Verifies the records and then the batch; returns the number of records."""
        batch, report, peaks, other_time = self._batch, self._report, Peaks(), None
        expected = -1 if batch.at is None else microseconds_of(batch.at)
        for read in members:
            if read.at != expected:
                other_time = read.at
            first = self._last + 1
            following = tuple(range(first, first + len(read.stored)))
            if read.stored == read.computed and read.positions == following:
                self._last = read.positions[-1]
                self._keep(read.positions[0], read.computed)
                peaks.extend(b"".join(read.stored))
                continue
            for position, stored, computed in zip(*read[2:], strict=True):
                if position != self._last + 1:
                    self._miss_until(position)
                self._last = position
                if stored != computed:
                    where = batch.id, (position, position)
                    report(Fault(FaultKind.LEAF, *where, stored.hex(), computed.hex()))
                self._keep(position, [computed])
                peaks.append(stored[:HASH_BYTES].ljust(HASH_BYTES, b"\x00"))
        self._miss_until(batch.record_count)
        if self._last >= batch.record_count:
            extra = batch.record_count, self._last
            report(Fault(FaultKind.RECORDS_ADDED, batch.id, extra, None, None))
        elif not self._has_gaps and peaks.root() != batch.root:
            roots = peaks.root().hex(), batch.root.hex()
            report(Fault(FaultKind.ROOT, batch.id, None, *roots))
        if other_time is not None and batch.at is not None:
            times = batch.at.isoformat(), datetime_of(other_time).isoformat()
            report(Fault(FaultKind.BATCH_TIME, batch.id, None, *times))
        return peaks.size

    def _keep(self, position: int, leaves: list[bytes]) -> None:
        if self._witness is not None and self._batch.first_leaf is not None:
            self._witness(self._batch.first_leaf + position, b"".join(leaves))

    def _miss_until(self, position: int) -> None:
        """Reports the missing records between the last one read and this position."""
        first, last = self._last + 1, min(position, self._batch.record_count) - 1
        if first <= last:
            self._has_gaps = True
            missing = self._batch.id, (first, last)
            self._report(Fault(FaultKind.RECORDS_MISSING, *missing, None, None))


def _parts(keys: KeyRange) -> Iterator[tuple[KeyRange, list[_Batch]]]:
    """Parts of a range with their batches, which are read first.

    A connection can execute nothing else during a COPY.
    """
    first = keys.first
    while True:
        rows = AuditBatch.objects.filter(**KeyRange(first, keys.end).within("id")).order_by("id")
        page = list(rows.values_list("id", "at", "record_count", "root")[: _AT_ONCE + 1])
        end = page[_AT_ONCE][0] if len(page) > _AT_ONCE else keys.end
        part = KeyRange(first, end)
        places = LoggedBatch.objects.filter(**part.within("batch_id"))
        begins = dict(places.values_list("batch_id", "first_leaf"))
        batches = [
            _Batch(identity, at, count, bytes(root), begins.get(identity))
            for identity, at, count, root in page[:_AT_ONCE]
        ]
        yield part, batches
        if len(page) <= _AT_ONCE:
            return
        first = end

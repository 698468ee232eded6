"""Verification of a few records: each is what a signed head of the log covers, or is pending.

``verify_log`` computes the tree of all records; this one the path from each of these to the root of
the first head that covers it.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final
from uuid import UUID

from compliance.trail.actor import Actor
from compliance.trail.batches import batch_of
from compliance.trail.encoding import leaf_of
from compliance.trail.log.log_faults import LogFault, LogFaultKind, Report
from compliance.trail.log.log_status import LogPosition, is_in_log_or_pending, position_of
from compliance.trail.log.merkle_tree import STORED_LEVELS, inclusion_path, is_included
from compliance.trail.log.stored_tree import LostInGap, NotInLog, StoredTree
from compliance.trail.log.verify_heads import head_fault, verify_keys
from compliance.trail.models import AuditRecord, LogKey
from compliance.trail.verify_records import Fault, FaultKind

_LEVELS: Final = range(STORED_LEVELS - 1, 64, STORED_LEVELS)
"""Half of what lies between two stored levels: what a path needs of it is then read at once."""


def verify_inclusion(records: Iterable[AuditRecord], report: Report) -> None:
    """Reports records that differ from their leaf, or whose leaf is in no signed head."""
    log = _Log(report)
    for record in records:
        leaf, stored = _leaf_of(record), bytes(record.leaf)
        if leaf == stored:
            log.verify(record, leaf)
        else:
            batch = batch_of(record.id)
            position = record.id.int - batch.int
            where = batch, (position, position)
            report(Fault(FaultKind.LEAF, *where, stored.hex(), leaf.hex()))


class _Log:
    """The log as far as these records need it; each batch and head is read once."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._stored = StoredTree()
        self._tree = cache(self._stored)  # records of one block share most of their paths
        self._places: dict[UUID, LogPosition | None] = {}
        self._keys = list(LogKey.objects.order_by("first_head"))
        verify_keys(self._keys, report, trusted_key=None)

    def verify(self, record: AuditRecord, leaf: bytes) -> None:
        where, batch = f"record {record.id}", batch_of(record.id)
        place = self._place_of(batch)
        if place is None:
            if not is_in_log_or_pending(record):
                needed = "in the log, or pending"
                self._report(LogFault(LogFaultKind.NOT_IN_LOG, where, "in neither", needed))
            return
        index, size, root = place.leaf + record.id.int - batch.int, place.head.size, place.head.root
        try:
            path = self._path(index, size)
        except LostInGap:
            return  # in a declared gap, which the signatures of two persons vouch for
        except (NotInLog, ValueError):
            self._report(LogFault(LogFaultKind.NODE, _leaves_around(index), None, "all of them"))
            return
        if not is_included(leaf, index, size, path, bytes(root)):
            self._report(LogFault(LogFaultKind.ROOT, _leaves_around(index), None, None))

    def _place_of(self, batch: UUID) -> LogPosition | None:
        if batch not in self._places:
            place = self._places[batch] = position_of(batch)
            if place is not None and (fault := head_fault(place.head, self._keys)):
                self._report(fault)
        return self._places[batch]

    def _path(self, index: int, size: int) -> list[bytes]:
        for level in _LEVELS:
            if (index >> level) + 1 << level > size:
                break
            self._tree(level, index >> level)
        self._read_ends(size)
        return inclusion_path(index, size, self._tree)

    def _read_ends(self, size: int) -> None:
        """Reads at once what every path needs of the last, incomplete block of each level."""
        for level in range(0, size.bit_length(), STORED_LEVELS):
            end = size >> level
            self._stored.read_ahead(level, range(end >> STORED_LEVELS << STORED_LEVELS, end))


def _leaves_around(index: int) -> str:
    """The leaves one of which may be wrong instead; named alike whichever of them was verified."""
    first = index >> STORED_LEVELS << STORED_LEVELS
    return f"leaves {first} to {first + (1 << STORED_LEVELS) - 1} of the log"


def _leaf_of(record: AuditRecord) -> bytes:
    return leaf_of(
        at=record.at,
        actor=Actor(record.actor, record.actor_user_id),
        action=record.action,
        subject=record.subject,
        details=record.details,
    )

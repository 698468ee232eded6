"""Verification of the log against its signed heads, and of the trail against the log.

Every leaf is recomputed from its record and added to a tree in the order of the log; the tree is
compared with every signed head. After a gap that two persons have declared it continues from the
peaks of the head that was signed last. A database administrator who changes rows and recomputes all
digests lacks the key. A truncated log is detected with a later head that was stored elsewhere.
"""

import tempfile
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, cast
from uuid import UUID

from compliance.trail.log.computed_leaves import compute_leaves
from compliance.trail.log.log_faults import LogFault, LogFaultKind, Report
from compliance.trail.log.lost_leaves import peaks_of
from compliance.trail.log.merkle_tree import HASH_BYTES, Peaks, contradict
from compliance.trail.log.signed_heads import NO_CHAIN, WitnessedHead, next_link
from compliance.trail.log.stored_heads import head_of
from compliance.trail.log.verify_heads import (
    compare_head,
    verify_cosignatures,
    verify_gaps,
    verify_heads,
    verify_waiting,
)
from compliance.trail.models import AuditBatch, LogGap, LoggedBatch, LogNode, TreeHead
from compliance.trail.row_digests import verify_row_digests

_AT_ONCE: Final = 2_000
_CHUNK: Final = 100_000 * HASH_BYTES


class Verified(NamedTuple):
    """The amounts that were verified."""

    records: int
    in_log: int
    heads: int
    waiting: int
    """Pending batches, which no head covers yet."""
    notes: tuple[str, ...]
    """The declared gaps of the log, and what cannot be compared because of them."""


def verify_trail(
    *,
    report: Report,
    trusted_key: str | None = None,
    witnessed: WitnessedHead | None = None,
    processes: int = 1,
) -> Verified:
    """Recomputes the trail and the log from the rows and reports faults, in their order.

    ``trusted_key`` is the id of the first key, as known from elsewhere; without it the first key in
    the database is trusted. ``witnessed`` is a head with its signature that was stored elsewhere.
    ``processes`` share the records.
    Needs 32 bytes of disk for each record, and little memory. While others write, call it in a
    REPEATABLE READ transaction.
    """
    with tempfile.NamedTemporaryFile(prefix="sabot-leaves-") as file:
        records = compute_leaves(Path(file.name), report=report, processes=processes)
        waiting = verify_waiting(report)
        verify_heads(report, trusted_key)
        verify_cosignatures(report)
        notes = [str(gap) for gap in verify_gaps(report)]
        in_log = _Tree(cast("BinaryIO", file), report).verify()
    for table, key, found, expected in verify_row_digests():
        report(LogFault(LogFaultKind.ROW, f"{table} {key}", found, expected))
    if witnessed is not None:
        note = compare_head(witnessed.head, witnessed.signature, report)
        notes += [] if note is None else [note]
    return Verified(records, in_log, TreeHead.objects.count(), waiting, tuple(notes))


class _LogBroken(Exception):
    """A fault after which the rest of the log cannot be verified."""

    def __init__(self, kind: LogFaultKind, where: str, found: object, expected: object) -> None:
        super().__init__(kind)
        self.fault = LogFault(kind, where, str(found), str(expected))


class _Tree:
    """The tree recomputed from the records, head by head."""

    def __init__(self, file: BinaryIO, report: Report) -> None:
        self._file = file
        self._report = report
        self._peaks = Peaks()
        self._waiting = bytearray()
        """Leaves that are added to the tree together, which is faster in whole blocks."""
        self._size = 0
        self._chain = NO_CHAIN
        self._nodes: dict[tuple[int, int], bytes] = {}
        self._gaps = LogGap.objects.in_bulk()
        self._lost = 0

    def verify(self) -> int:
        """Compares every head with its batches; returns the number of records in the tree.

        Stops at the first wrong head, on which all later roots depend.
        """
        try:
            self._go_through()
        except _LogBroken as broken:
            self._report(broken.fault)
        else:
            self._verify_nodes()
        return self._peaks.size - self._lost

    def _go_through(self) -> None:
        heads = TreeHead.objects.order_by("sequence").iterator(_AT_ONCE)
        for sequence, places in groupby(_places(), key=lambda place: place.head):
            stored = self._after_gaps(heads)
            batches = 0
            for place in places:
                self._add(place)
                batches += 1
            if stored is None or stored.sequence != sequence:
                found = None if stored is None else stored.sequence
                raise _LogBroken(LogFaultKind.HEAD_MISSING, f"head {sequence}", found, sequence)
            self._compare(stored, batches)
        left = self._after_gaps(heads)
        if left is not None:
            raise _LogBroken(LogFaultKind.SIZE, f"head {left.sequence}", 0, left.batch_count)

    def _after_gaps(self, heads: Iterator[TreeHead]) -> TreeHead | None:
        """The next head with batches; the tree continues from those that follow a gap."""
        for stored in heads:
            if stored.sequence not in self._gaps:
                return stored
            self._continue_from(stored, peaks_of(self._gaps[stored.sequence]))
        return None

    def _continue_from(self, stored: TreeHead, hashes: tuple[bytes, ...]) -> None:
        head, peaks = head_of(stored), Peaks(stored.size, hashes)
        is_later = head.size > self._size and stored.batch_count == 0
        if not is_later or not WitnessedHead(head, b"", hashes).has_peaks:
            found = f"{len(hashes)} peaks"
            expected = f"those of {head.size} records, with root {head.root.hex()}"
            raise _LogBroken(LogFaultKind.GAP, f"head {head.sequence}", found, expected)
        if contradict(self._peaks, peaks):
            raise _LogBroken(LogFaultKind.ROOT, f"head {head.sequence}", "another log", "its own")
        self._lost += head.size - self._size
        self._peaks, self._size, self._chain = peaks, head.size, head.chain

    def _add(self, place: "_Place") -> None:
        where = f"batch {place.batch}"
        if place.first_leaf != self._size:
            raise _LogBroken(LogFaultKind.PLACE, where, place.first_leaf, self._size)
        if place.root is None or place.record_count is None:
            raise _LogBroken(LogFaultKind.PLACE, where, "no such batch", "the batch")
        count = place.record_count
        self._chain = next_link(self._chain, root=place.root, record_count=count)
        if self._chain != place.chain:
            raise _LogBroken(LogFaultKind.LINK, where, place.chain.hex(), self._chain.hex())
        self._file.seek(place.first_leaf * HASH_BYTES)
        leaves = self._file.read(count * HASH_BYTES)
        if len(leaves) != count * HASH_BYTES:
            raise _LogBroken(
                LogFaultKind.PLACE, where, f"{len(leaves) // HASH_BYTES} records", count
            )
        self._size += count
        self._waiting += leaves
        if len(self._waiting) > _CHUNK:
            self._extend_tree()

    def _extend_tree(self) -> None:
        self._peaks.extend(bytes(self._waiting), keep=self._keep)
        self._waiting.clear()

    def _keep(self, level: int, index: int, node: bytes) -> None:
        self._nodes[level, index] = node

    def _compare(self, stored: TreeHead, batches: int) -> None:
        self._extend_tree()
        where, head = f"head {stored.sequence}", head_of(stored)
        if (stored.batch_count, head.size) != (batches, self._peaks.size):
            found = f"{batches} batches, {self._peaks.size} records"
            expected = f"{stored.batch_count} batches, {head.size} records"
            raise _LogBroken(LogFaultKind.SIZE, where, found, expected)
        if head.root != self._peaks.root():
            raise _LogBroken(LogFaultKind.ROOT, where, self._peaks.root().hex(), head.root.hex())
        if head.chain != self._chain:
            raise _LogBroken(LogFaultKind.LINK, where, self._chain.hex(), head.chain.hex())

    def _verify_nodes(self) -> None:
        rows = LogNode.objects.order_by("level", "index").values_list("level", "index", "hash")
        for level, index, node in rows.iterator(_AT_ONCE):
            expected = self._nodes.pop((level, index), None)
            if expected != bytes(node):
                hashes = bytes(node).hex(), None if expected is None else expected.hex()
                self._report(LogFault(LogFaultKind.NODE, f"node {level}/{index}", *hashes))
        for (level, index), node in sorted(self._nodes.items()):
            self._report(LogFault(LogFaultKind.NODE, f"node {level}/{index}", None, node.hex()))


class _Place(NamedTuple):
    """A batch at its position in the log; root and count are None if its row is missing."""

    head: int
    first_leaf: int
    batch: UUID
    chain: bytes
    root: bytes | None
    record_count: int | None


def _places() -> Iterator[_Place]:
    rows = LoggedBatch.objects.order_by("first_leaf", "batch_id")
    placed = rows.values_list("head_id", "first_leaf", "batch_id", "chain")
    for page in _pages(placed.iterator(_AT_ONCE)):
        ids = [batch for _, _, batch, _ in page]
        batches = AuditBatch.objects.filter(id__in=ids).values_list("id", "root", "record_count")
        known = {identity: (bytes(root), count) for identity, root, count in batches}
        for head, first, batch, chain in page:
            yield _Place(head, first, batch, bytes(chain), *known.get(batch, (None, None)))


def _pages(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while page := list(islice(rows, _AT_ONCE)):
        yield page

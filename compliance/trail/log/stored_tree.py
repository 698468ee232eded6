"""The stored tree of the log: its leaves, and every eighth level above them."""

from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from django.db.models import Max
from django.utils.functional import cached_property  # without functools' lock of all objects

from compliance.trail.batches import record_id
from compliance.trail.log.lost_leaves import LostLeaves
from compliance.trail.log.merkle_tree import STORED_LEVELS, node_of, root_of
from compliance.trail.models import AuditRecord, LoggedBatch, LogNode

_Hashes = dict[int, bytes]


class NotInLog(Exception):
    """A leaf or node of the tree is missing: its row was deleted, or never added."""


class LostInGap(NotInLog):
    """A leaf or node lies in a declared gap of the log: a restored database has lost it."""


class StoredTree:
    """A ``merkle_tree.Subtree`` over the tables of the log. Caches what it reads.

    Subtrees over a gap are computed from the peaks from which the log was continued.
    """

    def __init__(self) -> None:
        self._read: dict[int, _Hashes] = {}

    def __call__(self, level: int, index: int) -> bytes:
        """The hash of a complete subtree. Raises NotInLog, or LostInGap."""
        if self._lost.meet(index << level, (index + 1) << level):
            return self._over_gap(level, index)
        above = level % STORED_LEVELS
        span = range(index << above, (index + 1) << above)
        return root_of(self._hashes(level - above, span))

    def neighbours(self, level: int, span: range) -> Sequence[bytes]:
        """The hashes of neighbouring subtrees on a level that is stored. Raises as a call."""
        if self._lost.meet(span.start << level, span.stop << level):
            return [self(level, index) for index in span]
        return self._hashes(level, span)

    def read_ahead(self, level: int, span: range) -> None:
        """Reads hashes on a level that is stored at once, unless some are lost in a gap.

        Those that are missing are found when they are needed.
        """
        if not self._lost.meet(span.start << level, span.stop << level):
            with suppress(NotInLog):
                self._hashes(level, span)

    def _over_gap(self, level: int, index: int) -> bytes:
        if (level, index) in self._lost.peaks:
            return self._lost.peaks[level, index]
        if level == 0 or self._lost.contain(index << level, (index + 1) << level):
            raise LostInGap(
                f"found leaves {index << level} to {((index + 1) << level) - 1} lost in a gap"
            )
        if level % STORED_LEVELS == 0 and (stored := _nodes(level, range(index, index + 1))):
            return stored[index]
        return node_of(self(level - 1, 2 * index), self(level - 1, 2 * index + 1))

    @cached_property
    def _lost(self) -> LostLeaves:
        return LostLeaves.read()

    def _hashes(self, level: int, span: range) -> Sequence[bytes]:
        read = self._read.setdefault(level, {})
        if not all(index in read for index in span):
            read |= leaves_between(span.start, span.stop) if level == 0 else _nodes(level, span)
        try:
            return [read[index] for index in span]
        except KeyError as missing:
            raise NotInLog(f"found no hash {missing} on level {level} of the log") from None


def leaves_between(start: int, end: int) -> _Hashes:
    """The leaf hashes of the log from ``start`` to before ``end``, without missing ones."""
    of_record = {
        record_id(batch, leaf - first): leaf
        for batch, first, last in _batches_over(start, end)
        for leaf in range(max(first, start), min(last, end))
    }
    rows = AuditRecord.objects.filter(id__in=list(of_record)).values_list("id", "leaf")
    return {of_record[identity]: bytes(leaf) for identity, leaf in rows}


def _batches_over(start: int, end: int) -> list[tuple[UUID, int, int]]:
    """The batches of these leaves: id, first leaf, and the first leaf of the next batch."""
    begun = LoggedBatch.objects.filter(first_leaf__lte=start).aggregate(last=Max("first_leaf"))
    rows = LoggedBatch.objects.filter(first_leaf__gte=begun["last"] or 0, first_leaf__lt=end)
    batches = list(rows.order_by("first_leaf").values_list("batch_id", "first_leaf"))
    ends = [first for _, first in batches[1:]] + [end]
    return [(batch, first, last) for (batch, first), last in zip(batches, ends, strict=True)]


def _nodes(level: int, span: range) -> _Hashes:
    rows = LogNode.objects.filter(level=level, index__gte=span.start, index__lt=span.stop)
    return {index: bytes(node) for index, node in rows.values_list("index", "hash")}

"""Adding batches to the log and signing its new head."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Final, NamedTuple
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection, transaction

from compliance.storage.copy_rows import copy_rows
from compliance.trail.batches import batch_of
from compliance.trail.encoding import microseconds_of
from compliance.trail.key_ranges import ranges_around
from compliance.trail.log.merkle_tree import Peaks, consistency_path, is_consistent, root_of
from compliance.trail.log.signed_heads import NO_CHAIN, Head, key_id_of, next_link, raw_key, sign
from compliance.trail.log.stored_tree import StoredTree
from compliance.trail.models import (
    AuditBatch,
    AuditRecord,
    LoggedBatch,
    LogKey,
    LogNode,
    TreeHead,
)
from compliance.trail.row_digests import record_row_digests

MOST_BATCHES: Final = 5_000
"""The number of batches under one head, at most; the rest waits for the next."""

_LOCK: Final = 0x53_41_42_4F_54_4C_4F_47  # "SABOTLOG"
_TAKE: Final = """
    DELETE FROM trail_pendingbatch
     WHERE batch_id IN (SELECT batch_id FROM trail_pendingbatch ORDER BY batch_id LIMIT %s)
    RETURNING batch_id
"""


class CannotAppend(Exception):
    """The log does not match its last head, or the key is not in force."""


class _Batch(NamedTuple):
    id: UUID
    record_count: int
    root: bytes


def append_to_log(
    key: Ed25519PrivateKey, *, now: datetime, witnessed: Head | None = None
) -> tuple[Head, bytes] | None:
    """Adds the pending batches, ordered by id; returns the new head and its signature.

    Returns None if none is pending. Runs in one transaction under a lock. ``witnessed`` is the last
    head that the key's holder remembers: a log that does not continue it is not signed. Raises
    CannotAppend.
    """
    with transaction.atomic():
        lock_log()
        public = raw_key(key.public_key())
        last = last_head()
        _check_continues(witnessed, last)
        record_row_digests(at=now)
        batches = _take(MOST_BATCHES)
        if not batches:
            return None
        sequence = 1 if last is None else last.sequence + 1
        _check_key(public, sequence=sequence)
        head = _write(last, batches, now=now, key_id=key_id_of(public))
        signature = sign(key, head.signed_bytes())
        TreeHead.objects.create(
            sequence=sequence,
            at=now,
            batch_count=len(batches),
            size=head.size,
            root=head.root,
            chain=head.chain,
            key_id=head.key_id,
            signature=signature,
        )
    return head, signature


def lock_log() -> None:
    """Locks the log until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def last_head() -> Head | None:
    """The latest head; None before the first."""
    stored = TreeHead.objects.order_by("-sequence").first()
    return None if stored is None else head_of(stored)


def head_of(stored: TreeHead) -> Head:
    """The signed content of a stored head."""
    root, chain = bytes(stored.root), bytes(stored.chain)
    at = microseconds_of(stored.at)
    return Head(stored.sequence, at, stored.size, root, chain, stored.key_id)


def _check_continues(witnessed: Head | None, last: Head | None) -> None:
    if witnessed is None:
        return
    if last is None or last.size < witnessed.size:
        size = 0 if last is None else last.size
        raise CannotAppend(
            f"found a log of {size} records; needed one that continues the {witnessed.size}"
            f" of head {witnessed.sequence}, which was signed before"
        )
    if not witnessed.size:
        return
    path = consistency_path(witnessed.size, last.size, StoredTree())
    if not is_consistent(witnessed.size, witnessed.root, last.size, last.root, path):
        raise CannotAppend(
            f"found a log that does not continue head {witnessed.sequence}, which was signed before"
        )


def _check_key(public: bytes, *, sequence: int) -> None:
    """The first key comes into force by its first use, a further one by ``rotate_key``."""
    in_force = LogKey.objects.order_by("-first_head").first()
    if in_force is None:
        LogKey.objects.create(key_id=key_id_of(public), public_key=public, first_head=sequence)
    elif bytes(in_force.public_key) != public:
        raise CannotAppend(
            f"found key {key_id_of(public)}; needed {in_force.key_id}, which is in force"
        )


def _take(most: int) -> list[_Batch]:
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, [most])
        ids = [identity for (identity,) in cursor.fetchall()]
    rows = AuditBatch.objects.filter(id__in=ids).order_by("id")
    batches = [_Batch(i, n, bytes(root)) for i, n, root in rows.values_list(*_Batch._fields)]
    if len(batches) != len(ids):
        raise CannotAppend("found no batch for one that waits for the log; needed its row")
    return batches


def _write(last: Head | None, batches: list[_Batch], *, now: datetime, key_id: str) -> Head:
    """Writes the positions of the batches and the nodes of the tree; returns the new head."""
    sequence, size, chain = 1, 0, NO_CHAIN
    if last is not None:
        sequence, size, chain = last.sequence + 1, last.size, last.chain
    peaks = Peaks.of(size, StoredTree())
    if last is not None and peaks.root() != last.root:
        raise CannotAppend(f"found a tree that does not give the root of head {last.sequence}")
    nodes: list[tuple[int, int, bytes]] = []
    positions = []
    leaves = _leaves([batch.id for batch in batches])
    for batch, (identity, hashes) in zip(batches, leaves, strict=True):
        if identity != batch.id or len(hashes) != batch.record_count:
            raise CannotAppend(f"found {len(hashes)} records in batch {batch.id}")
        if root_of(hashes) != batch.root:
            raise CannotAppend(f"found records that do not give the root of batch {batch.id}")
        chain = next_link(chain, root=batch.root, record_count=batch.record_count)
        positions.append((batch.id, sequence, peaks.size, chain))
        peaks.extend(b"".join(hashes), keep=lambda *node: nodes.append(node))
    copy_rows(LoggedBatch, ("batch_id", "head_id", "first_leaf", "chain"), positions)
    copy_rows(LogNode, ("level", "index", "hash"), nodes)
    return Head(sequence, microseconds_of(now), peaks.size, peaks.root(), chain, key_id)


def _leaves(batches: list[UUID]) -> Iterator[tuple[UUID, list[bytes]]]:
    """The leaf hashes of these batches, in their order, without batches that have no records."""
    batch_ids = set(batches)
    for keys in ranges_around(batches):
        rows = AuditRecord.objects.filter(**keys.within("id")).order_by("id")
        pairs = rows.values_list("id", "leaf").iterator(chunk_size=2_000)
        for batch, members in groupby(pairs, key=lambda row: batch_of(row[0])):
            if batch in batch_ids:
                yield batch, [bytes(leaf) for _, leaf in members]

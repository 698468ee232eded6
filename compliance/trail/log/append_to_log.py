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
from compliance.trail.log.log_gaps import Declaration, NotDeclared, declaration_of, store_gap
from compliance.trail.log.log_losses import CannotAppend, LogLoss, behind, loss_of, record_loss
from compliance.trail.log.merkle_tree import Peaks, root_of
from compliance.trail.log.signed_heads import (
    NO_CHAIN,
    Head,
    WitnessedHead,
    key_id_of,
    next_link,
    raw_key,
    sign,
)
from compliance.trail.log.stored_heads import last_head, store_head
from compliance.trail.log.stored_tree import StoredTree
from compliance.trail.models import (
    AuditBatch,
    AuditRecord,
    LoggedBatch,
    LogKey,
    LogNode,
    PendingBatch,
)
from compliance.trail.row_digests import record_row_digests
from compliance.trail.sandbox import log_origin

MOST_BATCHES: Final = 5_000
"""The number of batches under one head, at most; the rest waits for the next."""

_LOCK: Final = 0x53_41_42_4F_54_4C_4F_47  # "SABOTLOG"
_TAKE: Final = """
    DELETE FROM trail_pendingbatch
     WHERE batch_id IN (SELECT batch_id FROM trail_pendingbatch ORDER BY batch_id LIMIT %s)
    RETURNING batch_id
"""


class _Batch(NamedTuple):
    id: UUID
    record_count: int
    root: bytes


def append_to_log(
    key: Ed25519PrivateKey, *, now: datetime, witnessed: WitnessedHead | None = None
) -> WitnessedHead | None:
    """Adds the pending batches, ordered by id; returns the new head, signed, with its peaks.

    Returns None if none is pending. Runs in one transaction under a lock. ``witnessed`` is the last
    head that the key's holder remembers: a log that does not continue it is not signed. If records
    were lost, that is recorded; once two persons have declared the loss, the log is continued from
    ``witnessed``, and their declaration comes first. Raises CannotAppend, or LogBehind.
    """
    with transaction.atomic():
        lock_log()
        loss = loss_of(witnessed)
        if loss is None:
            return _append(key, now=now)
        try:
            declaration = declaration_of(loss)
        except NotDeclared:
            record_loss(loss, at=now)
        else:
            return _continue(key, loss, declaration, now=now)
    raise behind(loss)


def _append(key: Ed25519PrivateKey, *, now: datetime) -> WitnessedHead | None:
    record_row_digests(at=now)
    batches = _take(MOST_BATCHES)
    return _sign_next(key, last_head(), batches, now=now) if batches else None


def _continue(
    key: Ed25519PrivateKey, loss: LogLoss, declaration: Declaration, *, now: datetime
) -> WitnessedHead:
    """Stores the gap and the witnessed head, and signs a head over the declaration alone."""
    store_gap(loss, declaration)
    batches = _take_only([batch_of(record.id) for record in declaration])
    return _sign_next(key, loss.witnessed.head, batches, now=now)


def _sign_next(
    key: Ed25519PrivateKey, last: Head | None, batches: list[_Batch], *, now: datetime
) -> WitnessedHead:
    public = raw_key(key.public_key())
    _check_key(public, sequence=1 if last is None else last.sequence + 1)
    head, peaks = _write(last, batches, now=now, key_id=key_id_of(public))
    signature = sign(key, head.signed_bytes())
    store_head(head, signature, batch_count=len(batches))
    return WitnessedHead(head, signature, peaks.hashes)


def lock_log() -> None:
    """Locks the log until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


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
        return _batches([identity for (identity,) in cursor.fetchall()])


def _take_only(ids: list[UUID]) -> list[_Batch]:
    PendingBatch.objects.filter(batch_id__in=ids).delete()
    return _batches(ids)


def _batches(ids: list[UUID]) -> list[_Batch]:
    rows = AuditBatch.objects.filter(id__in=ids).order_by("id")
    batches = [_Batch(i, n, bytes(root)) for i, n, root in rows.values_list(*_Batch._fields)]
    if len(batches) != len(ids):
        raise CannotAppend("found no batch for one that waits for the log; needed its row")
    return batches


def _write(
    last: Head | None, batches: list[_Batch], *, now: datetime, key_id: str
) -> tuple[Head, Peaks]:
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
    origin = _origin_after(last)
    head = Head(sequence, microseconds_of(now), peaks.size, peaks.root(), chain, key_id, origin)
    return head, peaks


def _origin_after(last: Head | None) -> str:
    """The origin of the next head. A log keeps the one that witnesses know it by."""
    origin = log_origin()
    if last is not None and last.origin and last.origin != origin:
        found = origin or "no LOG_ORIGIN"
        raise CannotAppend(f"found {found}; needed {last.origin}, by which this log is known")
    return origin


def _leaves(batches: list[UUID]) -> Iterator[tuple[UUID, list[bytes]]]:
    """The leaf hashes of these batches, in their order, without batches that have no records."""
    batch_ids = set(batches)
    for keys in ranges_around(batches):
        rows = AuditRecord.objects.filter(**keys.within("id")).order_by("id")
        pairs = rows.values_list("id", "leaf").iterator(chunk_size=2_000)
        for batch, members in groupby(pairs, key=lambda row: batch_of(row[0])):
            if batch in batch_ids:
                yield batch, [bytes(leaf) for _, leaf in members]

"""Inclusion and consistency proofs (RFC 9162) for third parties, as JSON (``docs/proof.md``)."""

from typing import Any, Final
from uuid import UUID

from compliance.trail.actor import Actor
from compliance.trail.encoding import record_text
from compliance.trail.log.log_status import position_of
from compliance.trail.log.merkle_tree import consistency_path, inclusion_path
from compliance.trail.log.stored_heads import head_of
from compliance.trail.log.stored_tree import LostInGap, NotInLog, StoredTree
from compliance.trail.models import AuditRecord, TreeHead

RECEIPT: Final = "sabot receipt/1"
"""The format of receipts: the inclusion proofs of all records of a round."""

_PROOF: Final = "sabot inclusion/1"
_CONSISTENCY: Final = "sabot consistency/1"


def prove_record(record_id: UUID) -> dict[str, Any]:
    """The inclusion proof of a record under the first head that covers it, which never changes.

    Raises NotInLog while its batch is pending.
    """
    record = AuditRecord.objects.get(id=record_id)
    place = position_of(record_id)
    if place is None:
        raise NotInLog(f"found no place in the log for record {record_id}; its batch is pending")
    path = inclusion_path(place.leaf, place.head.size, StoredTree())
    return {
        "proof": _PROOF,
        "record": record_text(
            at=record.at,
            actor=Actor(record.actor, record.actor_user_id),
            action=record.action,
            subject=record.subject,
            details=record.details,
        ),
        "leaf_index": place.leaf,
        "path": [node.hex() for node in path],
        "head": _head(place.head),
        "public_key": bytes(place.head.key.public_key).hex(),
    }


def prove_growth(old: int, new: int) -> dict[str, Any]:
    """The consistency proof from head ``old`` to head ``new``.

    Raises TreeHead.DoesNotExist, ValueError if ``old`` is the later one, and LostInGap if it needs
    records that a restored database has lost.
    """
    first, second = (TreeHead.objects.get(sequence=sequence) for sequence in (old, new))
    try:
        path = consistency_path(first.size, second.size, StoredTree())
    except LostInGap as lost:
        raise LostInGap(
            f"found no consistency proof from head {old} to head {new}: {lost}; needed one that"
            " ends before the gap, or begins with its last head"
        ) from lost
    return {
        "proof": _CONSISTENCY,
        "path": [node.hex() for node in path],
        "old": _head(first),
        "new": _head(second),
    }


def _head(stored: TreeHead) -> dict[str, Any]:
    return head_of(stored).as_json(bytes(stored.signature))

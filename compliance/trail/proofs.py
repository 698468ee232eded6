"""Proofs for outsiders: that a record is in the log, and that the log only ever grew.

Each is a plain JSON object that RFC 9162 and Ed25519 are enough to verify (``docs/proof.md``).
"""

from typing import Any, Final
from uuid import UUID

from compliance.trail.actor import Actor
from compliance.trail.appending import head_of
from compliance.trail.encoding import record_text
from compliance.trail.models import AuditRecord, TreeHead
from compliance.trail.nodes import NotInLog, StoredTree
from compliance.trail.state import place_of
from compliance.trail.tree import consistency_path, inclusion_path

_PROOF: Final = "sabot inclusion/1"
_CONSISTENCY: Final = "sabot consistency/1"


def prove_record(record_id: UUID) -> dict[str, Any]:
    """That a record is in the log, under the first head that covers it: the same at any time.

    Raises NotInLog while its batch waits for the log.
    """
    record = AuditRecord.objects.get(id=record_id)
    place = place_of(record_id)
    if place is None:
        raise NotInLog(f"found no place in the log for record {record_id}; it still waits for one")
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
    """That the log at head ``new`` begins with the log at head ``old``.

    Raises TreeHead.DoesNotExist, and ValueError where ``old`` is the later one.
    """
    first, second = (TreeHead.objects.get(sequence=sequence) for sequence in (old, new))
    path = consistency_path(first.size, second.size, StoredTree())
    return {
        "proof": _CONSISTENCY,
        "path": [node.hex() for node in path],
        "old": _head(first),
        "new": _head(second),
    }


def _head(stored: TreeHead) -> dict[str, Any]:
    return head_of(stored).as_json(bytes(stored.signature))

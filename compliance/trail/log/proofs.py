"""Inclusion and consistency proofs (RFC 9162) for third parties, as JSON (``docs/proof.md``)."""

from collections.abc import Collection, Iterable
from typing import Any, Final
from uuid import UUID

from compliance.trail.actor import Actor
from compliance.trail.encoding import record_text
from compliance.trail.log.checkpoints import proof_file
from compliance.trail.log.log_status import position_of
from compliance.trail.log.merkle_tree import consistency_path, inclusion_path
from compliance.trail.log.stored_heads import head_of
from compliance.trail.log.stored_tree import LostInGap, NotInLog, StoredTree
from compliance.trail.log.tiles import stored_checkpoint
from compliance.trail.models import AuditRecord, TreeHead
from compliance.trail.queries import records_of
from compliance.trail.witnesses.cosigned_heads import CosignedHead, first_cosigned_head
from compliance.trail.witnesses.policy import policy_in_force

RECEIPT: Final = "sabot receipt/1"
"""The format of receipts: the inclusion proofs of all records of a round."""

_PROOF: Final = "sabot inclusion/1"
_CONSISTENCY: Final = "sabot consistency/1"


def prove_record(record_id: UUID, *, is_final: bool = False) -> dict[str, Any]:
    """The inclusion proof of a record under the first head that covers it, which never changes.

    Where witnesses are needed, it is the first one that a quorum has cosigned, with their
    signatures; until then the first one without them, or NotInLog if ``is_final``. Where a declared
    gap lies in between, the first one has to do. If the head is a checkpoint, the same is in it as
    a file for other people's programs. Raises NotInLog while its batch is pending.
    """
    record = AuditRecord.objects.get(id=record_id)
    place = position_of(record_id)
    if place is None:
        raise NotInLog(f"found no place in the log for record {record_id}; its batch is pending")
    cosigned = first_cosigned_head(place.head)
    if cosigned is None and is_final:
        raise NotInLog(
            f"found no quorum of witnesses for record {record_id}, which head"
            f" {place.head.sequence} covers; needed that of LOG_POLICY_FILE"
        )
    shown = CosignedHead(place.head) if cosigned is None else cosigned
    try:
        path = inclusion_path(place.leaf, shown.head.size, StoredTree())
    except LostInGap:  # of records in between; nobody will cosign the head before them any more
        shown = CosignedHead(place.head)
        path = inclusion_path(place.leaf, shown.head.size, StoredTree())
    head, lines = shown.head, shown.lines
    proof = {
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
        "head": _head(head),
        "public_key": bytes(head.key.public_key).hex(),
    }
    if lines:
        proof["cosignatures"] = lines
    if head.origin:
        checkpoint = stored_checkpoint(head) + "".join(lines)
        proof["tlog_proof"] = proof_file(place.leaf, path, checkpoint)
    return proof


def receipt_of(round_reference: str, *, actions: Collection[str] | None = None) -> dict[str, Any]:
    """The receipt of a round: the proofs of its records, oldest first, or of those actions alone.

    Raises NotInLog while a batch with one of them is pending.
    """
    records = records_of(f"round:{round_reference}")
    if actions is not None:
        records = records.filter(action__in=actions)
    proofs = [prove_record(record.pk) for record in records]
    return {
        "receipt": RECEIPT,
        "round": round_reference,
        "complete": are_cosigned(proof.get("cosignatures", ()) for proof in proofs),
        "records": proofs,
    }


def are_cosigned(cosignatures: Iterable[Collection[str]]) -> bool:
    """Whether proofs with these signatures of witnesses have all that they will have."""
    return not policy_in_force().needs_witnesses or all(cosignatures)


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

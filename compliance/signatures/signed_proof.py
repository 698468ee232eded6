"""The proof of an audit record, with the signature of its person if it is a decision."""

from typing import Any, Final
from uuid import UUID

from compliance.signatures.signature_lines import SignatureLines
from compliance.signatures.signature_verifier import signed_actions
from compliance.trail.log.proofs import prove_record
from compliance.trail.models import AuditRecord

_SIGNED_PROOF: Final = "sabot inclusion/2"


def prove_decision(record_id: UUID) -> dict[str, Any]:
    """The inclusion proof of a record; that of a decision has its signature and the keys.

    Raises NotInLog while its batch is pending.
    """
    proof, record = prove_record(record_id), AuditRecord.objects.get(pk=record_id)
    if record.action not in signed_actions():
        return proof
    signing = SignatureLines()
    decision = signing.of_record(record)
    keys = list(signing.keys())
    return {**proof, "proof": _SIGNED_PROOF, "decision": decision, "signing_keys": keys}

"""Whether the persons signed what their rows say about studio keys and tables.

Ingestion asks for each batch; signatures of the same rows are verified once in a process.
"""

from typing import Final

from compliance.signatures.verify_rows import KnownSignatures, signed_row
from compliance.trail.actor import Actor, is_same_person
from rounds.models import SignatureRequirement, StudioKey, StudioKeyStep
from rounds.signed_rows import row_of_key

KNOWN: Final = KnownSignatures()
_Action = SignatureRequirement.Action


def is_approved_by_two(key: StudioKey, approval: StudioKeyStep) -> bool:
    """Whether one person signed the proposal of the key, and another its approval."""
    approver = Actor(approval.actor, approval.actor_user_id)
    if approval.key_id != key.pk or is_same_person(key.actor, key.actor_user_id, approver):
        return False
    return KNOWN.are_signed(row_of_key(key), signed_row(approval))


def is_allowed_by_two(step: SignatureRequirement) -> bool:
    """Whether one person signed a proposal to allow unsigned rounds, and another this step."""
    proposal = SignatureRequirement.objects.filter(
        table_id=step.table_id, sequence=step.sequence - 1, action=_Action.PROPOSED
    ).first()
    approver = Actor(step.actor, step.actor_user_id)
    if step.action != _Action.ALLOWED or proposal is None:
        return False
    if is_same_person(proposal.actor, proposal.actor_user_id, approver):
        return False
    return KNOWN.are_signed(signed_row(proposal), signed_row(step))

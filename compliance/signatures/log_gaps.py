"""The declaration of lost records of the audit log: one person proposes it, another confirms it.

Both sign both heads, what lies between them and the reason. Whoever holds the key of the log
verifies that before it continues the log, and ``verify_trail`` ever after.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from compliance.signatures.models import DecisionSignature
from compliance.signatures.queries import period_of
from compliance.signatures.sign_decision import record_decision
from compliance.signatures.signature_verifier import SignatureVerifier, UnsignedDecision
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.log.log_gaps import GAP_CONFIRMED, GAP_PROPOSED, Declaration, NotDeclared
from compliance.trail.log.log_losses import LogLoss, found_loss
from compliance.trail.log.log_status import is_in_log_or_pending
from compliance.trail.models import AuditRecord
from compliance.trail.record import Entry


class LogGapError(Exception):
    """The loss cannot be declared so. Nothing was written."""


class NothingLost(LogGapError):
    """No records are lost, others are, or they were not proposed."""


class ReasonRequired(LogGapError):
    """The declaration needs a reason in words."""


class AnotherPersonRequired(LogGapError):
    """Who proposed it cannot confirm it."""


def propose_log_gap(*, subject: str, reason: str, at: datetime, actor: Actor) -> None:
    """Signs that the records of this loss are lost, and why; another person confirms it.

    Raises LogGapError, or as ``record_decision``.
    """
    if not reason.strip():
        raise ReasonRequired("found no reason; needed one in words")
    with transaction.atomic():
        loss = _lock_loss(subject)
        details = {**loss.details, "reason": reason.strip()}
        record_decision(Entry(GAP_PROPOSED, loss.subject, details), at=at, actor=actor)


def confirm_log_gap(*, proposal: UUID, at: datetime, actor: Actor) -> None:
    """Signs what another person proposed; the log is then continued. Raises as the proposal."""
    record = AuditRecord.objects.filter(pk=proposal, action=GAP_PROPOSED).first()
    if record is None:
        raise NothingLost(f"found no proposal {proposal}")
    with transaction.atomic():
        loss = _lock_loss(record.subject)
        if record not in log_gap_proposals(loss):
            raise NothingLost(f"found no signed proposal {proposal}")
        if is_same_person(record.actor, record.actor_user_id, actor):
            raise AnotherPersonRequired(f"found {actor.name}; needed another person")
        entry = Entry(GAP_CONFIRMED, loss.subject, _confirmation_details(record))
        record_decision(entry, at=at, actor=actor)


def log_gap_proposals(loss: LogLoss) -> list[AuditRecord]:
    """The proposals of this loss that count, oldest first."""
    proposals = AuditRecord.objects.filter(subject=loss.subject, action=GAP_PROPOSED)
    return [record for record in proposals.order_by("id") if _counts(record, loss)]


def verify_declaration(loss: LogLoss, declaration: Declaration, *, is_new: bool) -> None:
    """Raises NotDeclared unless two entitled persons signed exactly this loss.

    ``is_new`` refuses a key that was revoked meanwhile: the log does not show yet which came first.
    """
    proposal, confirmation = declaration
    _verify_proposal(proposal, loss, is_new=is_new)
    if (confirmation.action, confirmation.subject) != (GAP_CONFIRMED, loss.subject):
        raise NotDeclared("found another record than a confirmation")
    if confirmation.details != _confirmation_details(proposal):
        raise NotDeclared("found the confirmation of something else")
    if is_same_person(
        proposal.actor,
        proposal.actor_user_id,
        Actor(confirmation.actor, confirmation.actor_user_id),
    ):
        raise NotDeclared(f"found {proposal.actor} twice; needed two persons")
    _verify_record(confirmation, is_new=is_new)


def _lock_loss(subject: str) -> LogLoss:
    lock_names([subject])
    loss = found_loss()
    if loss is None or loss.subject != subject:
        raise NothingLost(f"found no {subject} that waits for a declaration")
    return loss


def _confirmation_details(proposal: AuditRecord) -> dict[str, Any]:
    """What the second person signs: the whole proposal, and whose it is."""
    return {**proposal.details, "proposal": str(proposal.id), "proposed_by": proposal.actor}


def _counts(proposal: AuditRecord, loss: LogLoss) -> bool:
    try:
        _verify_proposal(proposal, loss, is_new=True)
    except NotDeclared:
        return False
    return True


def _verify_proposal(proposal: AuditRecord, loss: LogLoss, *, is_new: bool) -> None:
    if (proposal.action, proposal.subject) != (GAP_PROPOSED, loss.subject):
        raise NotDeclared("found another record than a proposal")
    if proposal.details != {**loss.details, "reason": proposal.details.get("reason")}:
        raise NotDeclared("found a declaration of other heads or records")
    _verify_record(proposal, is_new=is_new)


def _verify_record(record: AuditRecord, *, is_new: bool) -> None:
    signature = DecisionSignature.objects.filter(pk=record.id).select_related("key").first()
    try:
        SignatureVerifier().verify(record, signature)
    except UnsignedDecision as error:
        raise NotDeclared(f"{record.actor}: {error}") from error
    if signature is None:
        raise NotDeclared(f"{record.actor}: found no signature")
    if is_new and period_of(signature.key).ends_at is not None:
        raise NotDeclared(f"{record.actor}: found a signature with a key that is revoked")
    if not is_in_log_or_pending(record):
        raise NotDeclared(f"{record.actor}: found a record outside the log")

"""Opening a dispute: what is contested, with the finding about the round."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StepError
from payouts.disputes.models import (
    Dispute,
    DisputeEvidence,
    DisputeFinding,
    DisputeStep,
    EvidenceShare,
)
from payouts.disputes.replay_comparison import build_finding, digest_of_finding
from payouts.disputes.status import State, dispute_statuses
from payouts.disputes.steps import add_dispute_step
from payouts.evidence import File, store_evidence
from rounds.models import Bet, Customer, Round


class DisputeContentMissing(StepError):
    """A dispute without a text, or with a claim that is no amount."""


class BetOfOtherCustomer(StepError):
    """The bet does not exist in the round, or is another customer's."""


class NoBetInRound(StepError):
    """The customer has no bet in the round, and that is not the reason of the dispute."""


class DuplicateDispute(StepError):
    """The customer has an open dispute about the same round and bet."""

    def __init__(self, dispute: Dispute) -> None:
        super().__init__(f"found {dispute}, which is open; needed none about the same")
        self.dispute = dispute


class Contested(NamedTuple):
    """What a customer contests, and the language of the correspondence.

    ``bet_number`` is None for all bets of the customer in the round; ``claimed_cents`` is None
    without a claim.
    """

    round_id: UUID
    customer_id: int
    reason: Dispute.Reason
    text: str
    language: Dispute.Language
    bet_number: int | None = None
    claimed_cents: int | None = None


def open_dispute(
    *,
    contested: Contested,
    opened_by: Dispute.OpenedBy,
    files: Sequence[File] = (),
    is_shared: bool = False,
    at: datetime,
    actor: Actor,
) -> Dispute:
    """Opens a dispute and stores the finding about its round. No money moves.

    The customer sees the ``files`` only if they are shared.

    Raises DisputeContentMissing, BetOfOtherCustomer, NoBetInRound, DuplicateDispute,
    InvalidEvidence, Round.DoesNotExist or Customer.DoesNotExist.
    """
    row = Round.objects.get(pk=contested.round_id)
    customer = Customer.objects.get(pk=contested.customer_id)
    _check_content(contested)
    _check_bet(row, customer, contested)
    with transaction.atomic():
        lock_names([f"disputed:{row.id}:{customer.pk}"])
        _require_no_duplicate(contested)
        dispute = Dispute.objects.create(
            round=row,
            bet_number=contested.bet_number,
            customer=customer,
            opened_by=opened_by,
            reason=contested.reason,
            claimed_cents=contested.claimed_cents,
            text=contested.text.strip(),
            language=contested.language,
            opened_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        _record_opening(dispute, at=at, actor=actor)
        _store_finding(dispute, at=at, actor=actor)
        for file in files:
            add_dispute_evidence(
                dispute=dispute, file=file, is_shared=is_shared, at=at, actor=actor
            )
    return dispute


def add_dispute_evidence(
    *, dispute: Dispute, file: File, is_shared: bool = False, at: datetime, actor: Actor
) -> DisputeEvidence:
    """Attaches a file to the dispute. Raises InvalidEvidence.

    Only shared files are shown to the customer.
    """
    action, subject = "DISPUTE_EVIDENCE_ADDED", f"dispute:{dispute}"
    with transaction.atomic():
        evidence = store_evidence(
            DisputeEvidence,
            file,
            action=action,
            subject=subject,
            at=at,
            actor=actor,
            dispute=dispute,
        )
        if is_shared:
            share_evidence(evidence=evidence, at=at, actor=actor)
    return evidence


def share_evidence(*, evidence: DisputeEvidence, at: datetime, actor: Actor) -> None:
    """Shares a file with the customer, once."""
    with transaction.atomic():
        lock_names([f"evidence:{evidence.pk}"])
        if EvidenceShare.objects.filter(pk=evidence.pk).exists():
            return
        EvidenceShare.objects.create(
            evidence=evidence, at=at, actor=actor.name, actor_user_id=actor.user_id
        )
        details = {"file": evidence.name, "sha256": bytes(evidence.digest).hex()}
        entry = Entry("DISPUTE_EVIDENCE_SHARED", f"dispute:{evidence.dispute}", details)
        record_entries([entry], at=at, actor=actor)


def _check_content(contested: Contested) -> None:
    if not contested.text.strip():
        raise DisputeContentMissing("text: found none; needed what is contested, in words")
    cents = contested.claimed_cents
    if cents is not None and cents <= 0:
        raise DisputeContentMissing(
            f"claimed_cents: found {cents}; needed an amount above nothing, or none"
        )


def _check_bet(row: Round, customer: Customer, contested: Contested) -> None:
    bets = Bet.objects.filter(round=row, customer=customer)
    number, reason = contested.bet_number, contested.reason
    if number is not None and not bets.filter(number=number).exists():
        found = f"bet {number} of round {row}"
        raise BetOfOtherCustomer(f"bet: found {found}; needed a bet of {customer.pseudonym} in it")
    if reason is not Dispute.Reason.BET_NOT_RECOGNISED and not bets.exists():
        raise NoBetInRound(f"round: found {row} without a bet of {customer.pseudonym}; needed one")


def _require_no_duplicate(contested: Contested) -> None:
    same = Dispute.objects.filter(
        round_id=contested.round_id,
        customer_id=contested.customer_id,
        bet_number=contested.bet_number,
    )
    for dispute_id, status in dispute_statuses(list(same)).items():
        if status.state is not State.CLOSED:
            raise DuplicateDispute(same.get(pk=dispute_id))


def _record_opening(dispute: Dispute, *, at: datetime, actor: Actor) -> None:
    details = {
        "bet": dispute.bet_number,
        "brought_by": dispute.opened_by,
        "reason": dispute.reason,
        "claimed_cents": dispute.claimed_cents,
        "text": dispute.text,
        "language": dispute.language,
    }
    add_dispute_step(dispute, (), DisputeStep.Action.OPENED, at=at, actor=actor, details=details)


def _store_finding(dispute: Dispute, *, at: datetime, actor: Actor) -> None:
    content = build_finding(dispute)
    digest, agrees = digest_of_finding(content), content["replay"]["agrees"]
    DisputeFinding.objects.create(
        dispute=dispute, content=content, digest=digest, agrees=agrees, found_at=at
    )
    details = {"sha256": digest.hex(), "agrees": agrees}
    about = {"dispute": str(dispute), "customer": dispute.customer.pseudonym}
    entries = [
        Entry("DISPUTE_FOUND", f"dispute:{dispute}", details),
        Entry("ROUND_DISPUTED", f"round:{dispute.round.reference}", about),
    ]
    record_entries(entries, at=at, actor=actor)

"""Opening a dispute: what is contested, and at once what Sabot finds about it."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.disputes.finding import digest_of_finding, find_about
from payouts.disputes.standing import State, standings_of
from payouts.models import Dispute, DisputeEvidence, DisputeFinding, DisputeStep
from payouts.services.dispute_steps import DisputeRefusal, add_dispute_step
from payouts.services.open_case import File, type_of
from rounds.models import Bet, Customer, Round
from rounds.services.intake import lock_names


class NothingContested(DisputeRefusal):
    """A dispute without a word, or that claims nothing at all."""


class NotHisBet(DisputeRefusal):
    """A bet that the round does not have, or that is another customer's."""


class NoBetOfHis(DisputeRefusal):
    """A round in which the customer has no bet, contested for another reason than that."""


class DisputedAlready(DisputeRefusal):
    """The customer contests the same already."""

    def __init__(self, dispute: Dispute) -> None:
        super().__init__(f"found {dispute}, which is open; needed none about the same")
        self.dispute = dispute


class Contested(NamedTuple):
    """What a customer contests, and how he is answered.

    Without ``bet_number`` all his bets of the round; ``claimed_cents`` is what he wants, None where
    he names nothing.
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
    at: datetime,
    actor: Actor,
) -> Dispute:
    """Opens a dispute and keeps with it what the rules say of the round now. No money moves.

    Raises NothingContested, NotHisBet, NoBetOfHis, DisputedAlready, NotEvidence,
    Round.DoesNotExist or Customer.DoesNotExist.
    """
    row = Round.objects.get(pk=contested.round_id)
    customer = Customer.objects.get(pk=contested.customer_id)
    _check_said(contested)
    _check_bet(row, customer, contested)
    with transaction.atomic():
        lock_names([f"disputed:{row.id}:{customer.pk}"])
        _refuse_double(contested)
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
        _keep_finding(dispute, at=at, actor=actor)
        for file in files:
            add_dispute_evidence(dispute=dispute, file=file, at=at, actor=actor)
    return dispute


def add_dispute_evidence(
    *, dispute: Dispute, file: File, at: datetime, actor: Actor
) -> DisputeEvidence:
    """Keeps a file with the dispute, and its digest in the trail. Raises NotEvidence."""
    content_type = type_of(file)
    digest = hashlib.sha256(file.content)
    with transaction.atomic():
        kept = DisputeEvidence.objects.create(
            dispute=dispute,
            name=file.name[-200:],
            content_type=content_type,
            size=len(file.content),
            digest=digest.digest(),
            content=file.content,
            added_at=at,
            actor=actor.name,
        )
        details = {"file": kept.name, "bytes": kept.size, "sha256": digest.hexdigest()}
        entry = Entry("DISPUTE_EVIDENCE_ADDED", f"dispute:{dispute}", details)
        record_entries([entry], at=at, actor=actor)
    return kept


def _check_said(contested: Contested) -> None:
    if not contested.text.strip():
        raise NothingContested("text: found none; needed what is contested, in words")
    cents = contested.claimed_cents
    if cents is not None and cents <= 0:
        raise NothingContested(
            f"claimed_cents: found {cents}; needed an amount above nothing, or none"
        )


def _check_bet(row: Round, customer: Customer, contested: Contested) -> None:
    theirs = Bet.objects.filter(round=row, customer=customer)
    number, reason = contested.bet_number, contested.reason
    if number is not None and not theirs.filter(number=number).exists():
        found = f"bet {number} of round {row}"
        raise NotHisBet(f"bet: found {found}; needed a bet of {customer.pseudonym} in it")
    if reason is not Dispute.Reason.BET_NOT_RECOGNISED and not theirs.exists():
        raise NoBetOfHis(f"round: found {row} without a bet of {customer.pseudonym}; needed one")


def _refuse_double(contested: Contested) -> None:
    same = Dispute.objects.filter(
        round_id=contested.round_id,
        customer_id=contested.customer_id,
        bet_number=contested.bet_number,
    )
    for dispute_id, standing in standings_of(list(same)).items():
        if standing.state is not State.CLOSED:
            raise DisputedAlready(same.get(pk=dispute_id))


def _record_opening(dispute: Dispute, *, at: datetime, actor: Actor) -> None:
    told = {
        "bet": dispute.bet_number,
        "brought_by": dispute.opened_by,
        "reason": dispute.reason,
        "claimed_cents": dispute.claimed_cents,
        "text": dispute.text,
        "language": dispute.language,
    }
    add_dispute_step(dispute, (), DisputeStep.Action.OPENED, at=at, actor=actor, told=told)


def _keep_finding(dispute: Dispute, *, at: datetime, actor: Actor) -> None:
    content = find_about(dispute)
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

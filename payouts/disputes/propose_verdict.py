"""Proposing a verdict on a dispute by a program. A person decides."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import require_status
from payouts.disputes.decide_dispute import Heading, check_headings
from payouts.disputes.execute_remedy import InvalidDisputeRemedy, require_accepted
from payouts.disputes.models import VerdictProposal
from payouts.disputes.queries import disputed_bets
from payouts.disputes.remedies import Way, greatest_loss
from payouts.disputes.status import State
from payouts.disputes.steps import lock_dispute, require_note
from rounds.rules.money import format_cents

Verdict = VerdictProposal.Verdict


class ProposedVerdict(NamedTuple):
    """A verdict with its text for the customer and its citations.

    ``way`` is the remedy of an upheld dispute, ``remedy_words`` a remark about it.
    """

    verdict: VerdictProposal.Verdict
    text: str
    citations: Sequence[Heading]
    way: Way | None = None
    remedy_words: str = ""
    accepted_loss_cents: int = 0
    """The customer's loss by the remedy, as the program accepts it."""


def propose_verdict(
    *, dispute_id: int, seen: int, proposed: ProposedVerdict, at: datetime, actor: Actor
) -> VerdictProposal:
    """Stores a proposal for the person who decides. It decides nothing.

    The dispute must be in review: it has an owner, and no question to the customer is open. Raises
    NoteRequired, InvalidCitations, InvalidDisputeRemedy, LossNotAccepted, StaleState or
    WrongStatus.
    """
    text = require_note(proposed.text, needed="the reasons of the decision, for the customer")
    if proposed.verdict is Verdict.REJECTED and proposed.way is not None:
        raise InvalidDisputeRemedy(
            f"way: found {proposed.way.value}; needed none of a rejected dispute"
        )
    with transaction.atomic():
        locked = lock_dispute(dispute_id, seen=seen)
        require_status(locked.status.state, needed=[State.IN_REVIEW])
        check_headings(locked.dispute, proposed.citations)
        bets = disputed_bets(locked.dispute).values_list("number", flat=True)
        loss = greatest_loss(locked.dispute, proposed.way, frozenset(bets))
        require_accepted(loss, accepted_cents=proposed.accepted_loss_cents)
        proposal = VerdictProposal.objects.create(
            dispute=locked.dispute,
            sequence=locked.status.latest.sequence,
            verdict=proposed.verdict,
            text=text,
            citations=[heading._asdict() for heading in proposed.citations],
            way="" if proposed.way is None else proposed.way.value,
            remedy_words=proposed.remedy_words.strip(),
            accepted_loss_cents=loss or None,
            at=at,
            actor=actor.name,
        )
        details = {
            "verdict": proposal.verdict,
            "text": proposal.text,
            "citations": proposal.citations,
            "way": proposal.way,
            "remedy": proposal.remedy_words,
            **({"accepted_loss": format_cents(loss)} if loss else {}),
        }
        entry = Entry("DISPUTE_VERDICT_PROPOSED", f"dispute:{locked.dispute}", details)
        record_entries([entry], at=at, actor=actor)
    return proposal

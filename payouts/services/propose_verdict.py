"""What a program would decide about a dispute: proposed to persons, of whom one decides."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.disputes.remedies import Way
from payouts.disputes.standing import State
from payouts.models import VerdictProposal
from payouts.services.decide_dispute import Heading, check_headings
from payouts.services.dispute_remedies import NotARemedy
from payouts.services.dispute_steps import NotInThisState, hold_dispute, written

Verdict = VerdictProposal.Verdict


class ProposedVerdict(NamedTuple):
    """A verdict with its text for the customer and the headings that it rests on.

    ``way`` is how an upheld dispute would be made good, and ``remedy_words`` what is said of that.
    """

    verdict: VerdictProposal.Verdict
    text: str
    citations: Sequence[Heading]
    way: Way | None = None
    remedy_words: str = ""


def propose_verdict(
    *, dispute_id: int, seen: int, proposed: ProposedVerdict, at: datetime, actor: Actor
) -> VerdictProposal:
    """Keeps what would be decided, for the person who decides. No money moves, nothing is decided.

    Raises NothingWritten, NothingCited, NotARemedy, DisputeMoved or NotInThisState: a dispute is
    in review while somebody has it and the customer owes no answer.
    """
    text = written(proposed.text, needed="the reasons of the decision, for the customer")
    if proposed.verdict is Verdict.REJECTED and proposed.way is not None:
        raise NotARemedy(f"way: found {proposed.way.value}; needed none of a rejected dispute")
    with transaction.atomic():
        held = hold_dispute(dispute_id, seen=seen)
        if held.standing.state is not State.IN_REVIEW:
            raise NotInThisState(held.standing.state, needed=[State.IN_REVIEW])
        check_headings(held.dispute, proposed.citations)
        kept = VerdictProposal.objects.create(
            dispute=held.dispute,
            sequence=held.standing.latest.sequence,
            verdict=proposed.verdict,
            text=text,
            citations=[one._asdict() for one in proposed.citations],
            way="" if proposed.way is None else proposed.way.value,
            remedy_words=proposed.remedy_words.strip(),
            at=at,
            actor=actor.name,
        )
        details = {
            "verdict": kept.verdict,
            "text": kept.text,
            "citations": kept.citations,
            "way": kept.way,
            "remedy": kept.remedy_words,
        }
        entry = Entry("DISPUTE_VERDICT_PROPOSED", f"dispute:{held.dispute}", details)
        record_entries([entry], at=at, actor=actor)
    return kept

"""Deciding a dispute: upheld, partly upheld or rejected, signed by an uninvolved person.

Both services raise as ``record_decision`` too.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db import transaction

from compliance.signatures.sign_decision import signed_together
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.steps import StepError, require_person
from payouts.cases.models import CaseStep
from payouts.disputes.execute_remedy import begin_remedy, require_accepted
from payouts.disputes.models import Dispute, DisputeRemedy, DisputeStep
from payouts.disputes.remedies import RequestedRemedy, complainant_loss
from payouts.disputes.status import State
from payouts.disputes.steps import (
    LockedDispute,
    add_dispute_step,
    lock_dispute,
    require_note,
)
from rounds.rules.catalogue import RULE_SETS

Action = DisputeStep.Action
_INVOLVING: Final = (CaseStep.Action.OPENED, CaseStep.Action.PROPOSED, CaseStep.Action.APPROVED)


class DeciderInvolved(StepError):
    """The person opened the dispute, or opened, proposed or approved a case about its round."""


class InvalidCitations(StepError):
    """A decision that cites no heading of the sheet, or an unknown one."""


class AwaitingCustomer(StepError):
    """The customer was asked and still has time to answer."""


class Heading(NamedTuple):
    """A heading of a sheet, by the sheet's key."""

    sheet: str
    heading: str


class _Decision(NamedTuple):
    """A decision as its step stores it."""

    action: DisputeStep.Action
    note: str
    citations: Sequence[Heading]
    remedy: str = ""
    accepted_loss_cents: int | None = None


def uphold_dispute(
    *,
    dispute_id: int,
    seen: int,
    is_whole: bool,
    note: str,
    citations: Sequence[Heading],
    remedy: RequestedRemedy,
    at: datetime,
    actor: Actor,
) -> DisputeStep:
    """Upholds a dispute, or part of it, and proposes its remedy: one transaction, one signature.

    ``note`` are the reasons for the customer. Raises PersonRequired, NoteRequired,
    InvalidCitations, DeciderInvolved, AwaitingCustomer, InvalidDisputeRemedy, RemedyInProgress,
    LossNotAccepted, StaleState, WrongStatus and the errors of opening and proposing a case.
    """
    action = Action.UPHELD if is_whole else Action.PARTLY_UPHELD
    with signed_together(actor) as signing:
        loss = complainant_loss(Dispute.objects.get(pk=dispute_id), remedy)
        decision = _Decision(action, note, citations, remedy.way.value, loss or None)
        step = _decide(dispute_id, seen, decision, at=at, actor=signing)
        begin_remedy(step.dispute, step, remedy, at=at, actor=signing)
        require_accepted(loss, accepted_cents=remedy.accepted_loss_cents)
    return step


def reject_dispute(
    *,
    dispute_id: int,
    seen: int,
    note: str,
    citations: Sequence[Heading],
    at: datetime,
    actor: Actor,
) -> DisputeStep:
    """Rejects a dispute. The customer may escalate to the external body.

    Raises PersonRequired, NoteRequired, InvalidCitations, DeciderInvolved, AwaitingCustomer,
    StaleState or WrongStatus.
    """
    with transaction.atomic():
        decision = _Decision(Action.REJECTED, note, citations)
        return _decide(dispute_id, seen, decision, at=at, actor=actor)


def citable_headings(dispute: Dispute) -> list[Heading]:
    """The headings that a decision may cite, in the order of the round's rule set."""
    rules = RULE_SETS.get(dispute.round.rules)
    if rules is None:
        return []
    cited = rules.reasons.values()
    return list(dict.fromkeys(Heading(citation.sheet, citation.heading) for citation in cited))


def check_headings(dispute: Dispute, citations: Sequence[Heading]) -> None:
    """Raises InvalidCitations unless there are headings and the round's rules cite all of them."""
    known = citable_headings(dispute)
    unknown = [heading for heading in citations if known and heading not in known]
    if not citations or unknown:
        found = ", ".join(f"[{sheet}] {heading}" for sheet, heading in unknown) or "none"
        raise InvalidCitations(
            f"citations: found {found}; needed headings that the round's rules cite"
        )


def involvement_in_dispute(dispute: Dispute, actor: Actor) -> str:
    """How the person was involved; empty if not at all."""
    if is_same_person(dispute.actor, dispute.actor_user_id, actor):
        return f"opened {dispute}"
    remedies = DisputeRemedy.objects.filter(dispute=dispute, was_opened=True)
    opened_by_dispute = set(remedies.values_list("case_id", flat=True))
    steps = CaseStep.objects.filter(case__rounds__round_id=dispute.round_id, action__in=_INVOLVING)
    for step in steps.select_related("case").order_by("case_id", "sequence"):
        is_approval = step.action == CaseStep.Action.APPROVED
        is_of_dispute = step.case_id in opened_by_dispute and not is_approval
        if is_same_person(step.actor, step.actor_user_id, actor) and not is_of_dispute:
            return f"{step.action} {step.case}"
    return ""


def _decide(
    dispute_id: int,
    seen: int,
    decision: _Decision,
    *,
    at: datetime,
    actor: Actor,
) -> DisputeStep:
    require_person(actor)
    reasons = require_note(decision.note, needed="the reasons of the decision, for the customer")
    locked = lock_dispute(dispute_id, seen=seen, then=decision.action)
    _check(locked, decision.citations, at=at, actor=actor)
    citations = [heading._asdict() for heading in decision.citations]
    return add_dispute_step(
        locked.dispute,
        locked.steps,
        decision.action,
        note=reasons,
        at=at,
        actor=actor,
        citations=citations,
        remedy=decision.remedy,
        accepted_loss_cents=decision.accepted_loss_cents,
    )


def _check(
    locked: LockedDispute, citations: Sequence[Heading], *, at: datetime, actor: Actor
) -> None:
    involvement = involvement_in_dispute(locked.dispute, actor)
    if involvement:
        raise DeciderInvolved(f"actor: found {actor.name}, who {involvement}; needed somebody else")
    if locked.status.state is State.WAITING and not locked.status.is_overdue(at):
        due = locked.status.latest.due_at
        raise AwaitingCustomer(
            f"found time to answer until {due}; needed an answer, or that time over"
        )
    check_headings(locked.dispute, citations)

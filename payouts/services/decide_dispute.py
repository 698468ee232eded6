"""Deciding a dispute: upheld, in part or whole, or rejected, by somebody with no hand in it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.disputes.remedies import RemedyAsked
from payouts.disputes.standing import State
from payouts.models import CaseStep, Dispute, DisputeRemedy, DisputeStep
from payouts.services.dispute_remedies import begin_remedy
from payouts.services.dispute_steps import (
    DisputeRefusal,
    HeldDispute,
    add_dispute_step,
    hold_dispute,
    require_person,
    written,
)
from rounds.rules.catalogue import RULE_SETS

Action = DisputeStep.Action
_HANDS: Final = (CaseStep.Action.OPENED, CaseStep.Action.PROPOSED, CaseStep.Action.APPROVED)


class NotImpartial(DisputeRefusal):
    """Whoever opened the dispute, or had a hand in the round's money, does not decide it."""


class NothingCited(DisputeRefusal):
    """A decision without a heading of the sheet, or with one that the game's sheet lacks."""


class StillWaiting(DisputeRefusal):
    """The customer was asked and has time left to answer."""


class Heading(NamedTuple):
    """A heading of a sheet, by the sheet's key."""

    sheet: str
    heading: str


def uphold_dispute(
    *,
    dispute_id: int,
    seen: int,
    is_whole: bool,
    note: str,
    citations: Sequence[Heading],
    remedy: RemedyAsked,
    at: datetime,
    actor: Actor,
) -> DisputeStep:
    """Upholds a dispute, or part of it, and proposes its remedy; both or neither.

    ``note`` are the reasons as the customer reads them. Raises NotAPerson, NothingWritten,
    NothingCited, NotImpartial, StillWaiting, NotARemedy, RemedyUnderWay, DisputeMoved,
    NotInThisState and whatever opening and proposing a case raise.
    """
    action = Action.UPHELD if is_whole else Action.PARTLY_UPHELD
    with transaction.atomic():
        told = {"remedy": remedy.way.value}
        decided = _decide(dispute_id, seen, action, note, citations, told, at=at, actor=actor)
        begin_remedy(decided.dispute, decided, remedy, at=at, actor=actor)
    return decided


def reject_dispute(
    *,
    dispute_id: int,
    seen: int,
    note: str,
    citations: Sequence[Heading],
    at: datetime,
    actor: Actor,
) -> DisputeStep:
    """Rejects a dispute; the customer may go to the outside body.

    Raises NotAPerson, NothingWritten, NothingCited, NotImpartial, StillWaiting, DisputeMoved or
    NotInThisState.
    """
    with transaction.atomic():
        return _decide(dispute_id, seen, Action.REJECTED, note, citations, {}, at=at, actor=actor)


def headings_for(dispute: Dispute) -> list[Heading]:
    """The headings that a decision about its round may cite, in the order of the rule set."""
    rules = RULE_SETS.get(dispute.round.rules)
    if rules is None:
        return []
    return list(dict.fromkeys(Heading(one.sheet, one.heading) for one in rules.reasons.values()))


def check_headings(dispute: Dispute, citations: Sequence[Heading]) -> None:
    """Raises NothingCited without a heading, and for one that the round's rules do not cite."""
    known = headings_for(dispute)
    wrong = [one for one in citations if known and one not in known]
    if not citations or wrong:
        found = ", ".join(f"[{one.sheet}] {one.heading}" for one in wrong) or "none"
        raise NothingCited(f"citations: found {found}; needed headings that the round's rules cite")


def why_not_impartial(dispute: Dispute, actor: Actor) -> str:
    """What hand the person had in it; empty for none."""
    if _is_same(dispute.actor, dispute.actor_user_id, actor):
        return f"opened {dispute}"
    own = DisputeRemedy.objects.filter(dispute=dispute, was_opened=True)
    ours = set(own.values_list("case_id", flat=True))
    steps = CaseStep.objects.filter(case__rounds__round_id=dispute.round_id, action__in=_HANDS)
    for step in steps.select_related("case").order_by("case_id", "sequence"):
        is_decision_itself = step.case_id in ours and step.action != CaseStep.Action.APPROVED
        if _is_same(step.actor, step.actor_user_id, actor) and not is_decision_itself:
            return f"{step.action} {step.case}"
    return ""


def _decide(
    dispute_id: int,
    seen: int,
    action: DisputeStep.Action,
    note: str,
    citations: Sequence[Heading],
    told: dict[str, Any],
    *,
    at: datetime,
    actor: Actor,
) -> DisputeStep:
    require_person(actor)
    reasons = written(note, needed="the reasons of the decision, for the customer")
    held = hold_dispute(dispute_id, seen=seen, then=action)
    _check(held, citations, at=at, actor=actor)
    cited = [one._asdict() for one in citations]
    return add_dispute_step(
        held.dispute,
        held.steps,
        action,
        note=reasons,
        at=at,
        actor=actor,
        told={**told, "citations": cited},
        citations=cited,
    )


def _check(held: HeldDispute, citations: Sequence[Heading], *, at: datetime, actor: Actor) -> None:
    hand = why_not_impartial(held.dispute, actor)
    if hand:
        raise NotImpartial(f"actor: found {actor.name}, who {hand}; needed somebody else")
    if held.standing.state is State.WAITING and not held.standing.is_overdue(at):
        due = held.standing.latest.due_at
        raise StillWaiting(f"found time to answer until {due}; needed an answer, or that time over")
    check_headings(held.dispute, citations)


def _is_same(name: str, user_id: int | None, actor: Actor) -> bool:
    if user_id is not None and user_id == actor.user_id:
        return True
    return " ".join(name.split()).casefold() == " ".join(actor.name.split()).casefold()

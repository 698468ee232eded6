"""A second person approves or rejects what a case proposes; the regulator may come first."""

from datetime import date, datetime
from typing import NamedTuple

from django.db import transaction

from compliance.trail.actor import Actor
from payouts.cases.decisions import RoundDecision
from payouts.cases.remedies import Remedy
from payouts.cases.standing import APPROVABLE, PROPOSABLE, Stage
from payouts.models import CaseRun, CaseStep, CaseWork
from payouts.services.case_steps import CaseRefusal, HeldCase, add_case_step, hold_case
from payouts.services.propose_case import EffectChanged, decisions_of_case, ruling_of_step
from payouts.services.two_persons import NoReason, decided_by_two

Action = CaseStep.Action


class NothingFromTheRegulator(CaseRefusal):
    """A referral or an answer without its reference."""


class CreditChanged(CaseRefusal):
    """A credit was proposed that is not the one that the person saw."""


class Letter(NamedTuple):
    """What goes to the regulator or comes from there."""

    reference: str
    on_day: date
    note: str


def approve_case(
    *, case_id: int, seen: int, effect_digest: bytes, note: str, at: datetime, actor: Actor
) -> CaseRun:
    """Approves a proposal: from now on workers execute it, each round once.

    ``effect_digest`` is that of the effect which the approver saw; it has to be the proposer's, and
    what the decision would do at this moment. Raises NotByTwo, NoReason, EffectChanged,
    CreditChanged, CaseMoved, NotAtThisStage or NotNamed.
    """
    with transaction.atomic():
        held = hold_case(case_id, seen=seen, at=APPROVABLE)
        _by_another(held, note=note, at=at, actor=actor)
        proposal = held.proposal
        decisions = _decisions(held, proposal, effect_digest)
        add_case_step(
            held.case,
            Action.APPROVED,
            sequence=seen + 1,
            note=note.strip(),
            at=at,
            actor=actor,
            told={"remedy": proposal.remedy, "proposed_by": proposal.actor},
            remedy=proposal.remedy,
            effect_digest=effect_digest,
        )
        return _begin(held, decisions, at=at)


def reject_case(*, case_id: int, seen: int, note: str, at: datetime, actor: Actor) -> None:
    """Rejects a proposal, with the reason; another may be made.

    Raises NotByTwo, NoReason, CaseMoved, NotAtThisStage or NotNamed.
    """
    with transaction.atomic():
        held = hold_case(case_id, seen=seen, at=(*APPROVABLE, Stage.TO_REFER))
        _by_another(held, note=note, at=at, actor=actor)
        told = {"proposed_by": held.proposal.actor}
        add_case_step(
            held.case,
            Action.REJECTED,
            sequence=seen + 1,
            note=note.strip(),
            at=at,
            actor=actor,
            told=told,
        )


def withdraw_case(*, case_id: int, seen: int, note: str, at: datetime, actor: Actor) -> None:
    """Ends a case before anything is approved; the rounds stay as they are.

    Raises NoReason, CaseMoved, NotAtThisStage or NotNamed.
    """
    if not note.strip():
        raise NoReason("found no reason; needed one in words")
    before = (*PROPOSABLE, *APPROVABLE, Stage.TO_REFER, Stage.AT_REGULATOR)
    with transaction.atomic():
        held = hold_case(case_id, seen=seen, at=before)
        add_case_step(
            held.case, Action.WITHDRAWN, sequence=seen + 1, note=note.strip(), at=at, actor=actor
        )


def refer_case(*, case_id: int, seen: int, letter: Letter, at: datetime, actor: Actor) -> None:
    """Says that the proposal was put before the regulator, by which letter.

    Raises NothingFromTheRegulator, CaseMoved, NotAtThisStage or NotNamed.
    """
    with transaction.atomic():
        held = hold_case(case_id, seen=seen, at=(Stage.TO_REFER,))
        _add_letter(held, Action.REFERRED, letter, at=at, actor=actor)


def answer_case(
    *, case_id: int, seen: int, is_allowed: bool, letter: Letter, at: datetime, actor: Actor
) -> None:
    """Says what the regulator answered, by which letter.

    An allowed proposal waits for the second person, a refused one is rejected. Raises
    NothingFromTheRegulator, CaseMoved, NotAtThisStage or NotNamed.
    """
    with transaction.atomic():
        held = hold_case(case_id, seen=seen, at=(Stage.AT_REGULATOR,))
        action = Action.ALLOWED if is_allowed else Action.REFUSED
        _add_letter(held, action, letter, at=at, actor=actor)


def _add_letter(
    held: HeldCase, action: CaseStep.Action, letter: Letter, *, at: datetime, actor: Actor
) -> None:
    reference = letter.reference.strip()
    if not reference:
        raise NothingFromTheRegulator("found no reference; needed that of a letter")
    add_case_step(
        held.case,
        action,
        sequence=held.latest.sequence + 1,
        note=letter.note.strip(),
        at=at,
        actor=actor,
        told={"reference": reference, "day": letter.on_day.isoformat()},
        reference=reference,
        on_day=letter.on_day,
    )


def _by_another(held: HeldCase, *, note: str, at: datetime, actor: Actor) -> None:
    """That neither who opened the case nor who proposed decides about it, and says why."""
    for step in held.steps:
        if step.action in {Action.OPENED, Action.PROPOSED}:
            author = Actor(step.actor, step.actor_user_id)
            decided_by_two(actor=author, approved_by=actor, reason=note, at=at)


def _decisions(held: HeldCase, proposal: CaseStep, effect_digest: bytes) -> list[RoundDecision]:
    """What the proposal makes of each round now, if it is what both persons saw."""
    if proposal.remedy == Remedy.CREDIT:
        if effect_digest != _seen_by_proposer(proposal):
            raise CreditChanged("found another amount than the one that was proposed")
        return []
    ruling = ruling_of_step(proposal)
    decisions, effect = decisions_of_case(held.case, Remedy(proposal.remedy), ruling)
    if not effect.digest == effect_digest == _seen_by_proposer(proposal):
        raise EffectChanged(effect)
    return decisions


def _seen_by_proposer(proposal: CaseStep) -> bytes:
    return bytes(proposal.effect_digest or b"")


def _begin(held: HeldCase, decisions: list[RoundDecision], *, at: datetime) -> CaseRun:
    """The work that follows: a row a round that changes, in the order of the decisions."""
    run = CaseRun.objects.create(case=held.case, approved_at=at)
    rounds = [(one.stored.id, one.after) for one in decisions if one.changes]
    if held.proposal.remedy == Remedy.CREDIT:
        CaseWork.objects.create(run=run, number=1, after=0, due_at=at)
    CaseWork.objects.bulk_create(
        CaseWork(run=run, number=number, round_id=round_id, after=after, due_at=at)
        for number, (round_id, after) in enumerate(rounds, start=1)
    )
    return run

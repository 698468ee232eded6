"""Decisions on a proposed case: approval, rejection, withdrawal, referral to the regulator.

Each is signed. All raise as ``record_decision`` too.
"""

from datetime import datetime

from django.db import transaction

from compliance.trail.actor import Actor
from compliance.trail.steps import StepError
from payouts.cases.decisions import RoundDecision
from payouts.cases.models import CaseRun, CaseStep, CaseWork
from payouts.cases.propose_case import EffectChanged, decisions_of_case, ruling_of_step
from payouts.cases.remedies import Remedy
from payouts.cases.status import APPROVABLE, PROPOSABLE, Stage
from payouts.cases.steps import LockedCase, add_case_step, lock_case
from payouts.cases.uploaded_rounds import has_uploaded
from payouts.regulator_letters import Letter
from payouts.settlement.four_eyes import four_eyes_decision, require_reason

Action = CaseStep.Action


class CreditChanged(StepError):
    """The proposed credit is not the one that the person saw."""


class ApproverUploadedRound(StepError):
    """The approver uploaded a round of the case by hand."""


def approve_case(
    *, case_id: int, seen: int, effect_digest: bytes, note: str, at: datetime, actor: Actor
) -> CaseRun:
    """Approves a proposal. Workers then execute it, each round once.

    ``effect_digest`` is the digest of the effect that the approver saw. It must equal the
    proposer's and that of the present effect. Raises FourEyesRequired, ReasonRequired,
    ApproverUploadedRound, EffectChanged, CreditChanged, StaleState, WrongStatus or PersonRequired.
    """
    with transaction.atomic():
        locked = lock_case(case_id, seen=seen, needed=APPROVABLE)
        _require_other_person(locked, note=note, at=at, actor=actor)
        if has_uploaded(locked.case, actor):
            raise ApproverUploadedRound(f"found {actor.name}, who uploaded; needed another person")
        proposal = locked.proposal
        decisions = _decisions(locked, proposal, effect_digest)
        add_case_step(
            locked.case,
            Action.APPROVED,
            sequence=seen + 1,
            note=note,
            at=at,
            actor=actor,
            remedy=proposal.remedy,
            effect_digest=effect_digest,
        )
        return _create_run(locked, decisions, at=at)


def reject_case(*, case_id: int, seen: int, note: str, at: datetime, actor: Actor) -> None:
    """Rejects a proposal with a reason. Another proposal may follow.

    Raises FourEyesRequired, ReasonRequired, StaleState, WrongStatus or PersonRequired.
    """
    with transaction.atomic():
        locked = lock_case(case_id, seen=seen, needed=(*APPROVABLE, Stage.TO_REFER))
        _require_other_person(locked, note=note, at=at, actor=actor)
        case, rejected = locked.case, Action.REJECTED
        add_case_step(case, rejected, sequence=seen + 1, note=note, at=at, actor=actor)


def withdraw_case(*, case_id: int, seen: int, note: str, at: datetime, actor: Actor) -> None:
    """Ends a case before it is approved. Its rounds stay unchanged.

    Raises ReasonRequired, StaleState, WrongStatus or PersonRequired.
    """
    note = require_reason(note)
    needed = (*PROPOSABLE, *APPROVABLE, Stage.TO_REFER, Stage.AT_REGULATOR)
    with transaction.atomic():
        case = lock_case(case_id, seen=seen, needed=needed).case
        add_case_step(case, Action.WITHDRAWN, sequence=seen + 1, note=note, at=at, actor=actor)


def refer_case(*, case_id: int, seen: int, letter: Letter, at: datetime, actor: Actor) -> None:
    """Records the letter that refers the proposal to the regulator.

    Raises LetterReferenceMissing, StaleState, WrongStatus or PersonRequired.
    """
    _add_letter(case_id, seen, Stage.TO_REFER, Action.REFERRED, letter, at=at, actor=actor)


def answer_case(
    *, case_id: int, seen: int, is_allowed: bool, letter: Letter, at: datetime, actor: Actor
) -> None:
    """Records the regulator's answer.

    An allowed proposal awaits the second person, a refused one is rejected. Raises
    LetterReferenceMissing, StaleState, WrongStatus or PersonRequired.
    """
    action = Action.ALLOWED if is_allowed else Action.REFUSED
    _add_letter(case_id, seen, Stage.AT_REGULATOR, action, letter, at=at, actor=actor)


def _add_letter(
    case_id: int,
    seen: int,
    needed: Stage,
    action: CaseStep.Action,
    letter: Letter,
    *,
    at: datetime,
    actor: Actor,
) -> None:
    with transaction.atomic():
        case = lock_case(case_id, seen=seen, needed=(needed,)).case
        add_case_step(case, action, sequence=seen + 1, at=at, actor=actor, **letter.columns())


def _require_other_person(locked: LockedCase, *, note: str, at: datetime, actor: Actor) -> None:
    """Raises FourEyesRequired for the person who opened the case or proposed."""
    for step in locked.steps:
        if step.action in {Action.OPENED, Action.PROPOSED}:
            author = Actor(step.actor, step.actor_user_id)
            four_eyes_decision(actor=author, approved_by=actor, reason=note, at=at)


def _decisions(locked: LockedCase, proposal: CaseStep, effect_digest: bytes) -> list[RoundDecision]:
    """The proposal's present decision on each round, if its effect is what both persons saw."""
    proposed_digest = bytes(proposal.effect_digest or b"")
    if proposal.remedy == Remedy.CREDIT:
        if effect_digest != proposed_digest:
            raise CreditChanged("found another amount than the one that was proposed")
        return []
    ruling = ruling_of_step(proposal)
    decisions, effect = decisions_of_case(locked.case, Remedy(proposal.remedy), ruling)
    if not effect.digest == effect_digest == proposed_digest:
        raise EffectChanged(effect)
    return decisions


def _create_run(locked: LockedCase, decisions: list[RoundDecision], *, at: datetime) -> CaseRun:
    """The execution: one work row for each round that changes, in the order of the decisions."""
    run = CaseRun.objects.create(case=locked.case, approved_at=at)
    rounds = [(decision.stored.id, decision.after) for decision in decisions if decision.changes]
    if locked.proposal.remedy == Remedy.CREDIT:
        CaseWork.objects.create(run=run, number=1, after=0, due_at=at)
    CaseWork.objects.bulk_create(
        CaseWork(run=run, number=number, round_id=round_id, after=after, due_at=at)
        for number, (round_id, after) in enumerate(rounds, start=1)
    )
    return run

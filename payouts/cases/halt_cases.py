"""The halt of all executions at a case without valid signatures, and its end by two persons."""

from datetime import datetime

from django.db import transaction

from compliance.signatures.sign_decision import create_signed_step
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import WORKER, Actor, is_same_person
from compliance.trail.record import Entry, record_entries
from compliance.trail.steps import StepError, require_person
from payouts.cases.models import Case, CaseHalt, CaseHaltStep
from payouts.settlement.four_eyes import FourEyesRequired, require_reason
from payouts.verify_resumption import is_resumed

Action = CaseHaltStep.Action


class ResumptionChanged(StepError):
    """Somebody has proposed to resume, or resumed, in the meantime."""


def halt_cases(case: Case, *, error: str, at: datetime) -> None:
    """Stops the execution of all cases in the current transaction."""
    CaseHalt.objects.create(case=case, error=error, at=at)
    entry = Entry("CASES_HALTED", "cases", {"case": str(case), "error": error})
    record_entries([entry], at=at, actor=WORKER)


def is_halted() -> bool:
    """Whether a halt is not resumed yet."""
    return any(not _is_resumed(halt) for halt in CaseHalt.objects.prefetch_related("steps"))


def was_halted(case: Case) -> bool:
    """Whether this case has halted the execution before."""
    return CaseHalt.objects.filter(case=case).exists()


def open_halts() -> list[CaseHalt]:
    """The halts that are not resumed, the oldest first."""
    halts = CaseHalt.objects.select_related("case").prefetch_related("steps").order_by("at", "id")
    return [halt for halt in halts if not _is_resumed(halt)]


def resume_cases(*, halt_id: int, seen: int, note: str, at: datetime, actor: Actor) -> CaseHaltStep:
    """Proposes to resume the execution, or resumes it as the second person. Signed.

    ``seen`` is the number of steps that the person saw. The case that halted it will be refused.
    Raises ReasonRequired, PersonRequired, ResumptionChanged, FourEyesRequired,
    CaseHalt.DoesNotExist, or as ``record_decision``.
    """
    note = require_reason(note)
    require_person(actor)
    with transaction.atomic():
        lock_names(["case-halts"])
        halt = CaseHalt.objects.select_related("case").get(pk=halt_id)
        steps = list(halt.steps.order_by("sequence"))
        if len(steps) != seen or seen > 1:
            raise ResumptionChanged(f"found {len(steps)} steps; needed the {seen} that were seen")
        if steps and is_same_person(steps[0].actor, steps[0].actor_user_id, actor):
            raise FourEyesRequired(f"found {actor.name} twice; needed two persons")
        return create_signed_step(
            CaseHaltStep,
            halt=halt,
            sequence=seen + 1,
            action=Action.RESUMED if steps else Action.PROPOSED,
            note=note,
            at=at,
            actor=actor,
        )


def _is_resumed(halt: CaseHalt) -> bool:
    return is_resumed(halt.steps.all())

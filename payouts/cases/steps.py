"""Adding a step to a case: one person at a time, on the state that the person saw."""

from datetime import datetime
from typing import Any, NamedTuple

from compliance.signatures.sign_decision import create_signed_step
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.steps import require_latest, require_person, require_status
from payouts.cases.models import Case, CaseRun, CaseStep
from payouts.cases.status import Stage, stage_of, steps_of_case


class LockedCase(NamedTuple):
    """A case that is locked for the current transaction."""

    case: Case
    steps: list[CaseStep]
    stage: Stage

    @property
    def proposal(self) -> CaseStep:
        """The latest proposal. The stage guarantees that there is one."""
        return [step for step in self.steps if step.action == CaseStep.Action.PROPOSED][-1]


def lock_case(case_id: int, *, seen: int, needed: tuple[Stage, ...]) -> LockedCase:
    """Locks a case for this transaction, at a stage that allows the step.

    ``seen`` is the sequence of the latest step that the person knows. Raises StaleState or
    WrongStatus.
    """
    lock_names([f"case:{case_id}"])
    case = Case.objects.select_related("reason", "table").get(pk=case_id)
    steps = list(steps_of_case(case))
    require_latest(steps[-1], seen=seen)
    stage = stage_of(case, steps[-1], CaseRun.objects.filter(pk=case_id).first())
    require_status(stage, needed=needed)
    return LockedCase(case, steps, stage)


def add_case_step(
    case: Case,
    action: CaseStep.Action,
    *,
    sequence: int,
    note: str = "",
    at: datetime,
    actor: Actor,
    **columns: Any,
) -> CaseStep:
    """Adds a step with its audit record, signed by the actor, in the current transaction.

    Raises PersonRequired, or as ``record_decision``.
    """
    require_person(actor)
    return create_signed_step(
        CaseStep,
        case=case,
        sequence=sequence,
        action=action,
        note=note.strip(),
        at=at,
        actor=actor,
        **columns,
    )

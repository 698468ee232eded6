"""What every step of a case shares: one person at a time, on what that person saw."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.cases.standing import Stage, stage_of, steps_of_case
from payouts.models import Case, CaseRun, CaseStep
from rounds.services.intake import lock_names


class CaseRefusal(Exception):
    """Something cannot be done about a case; nothing was written."""


class CaseMoved(CaseRefusal):
    """Somebody else acted on the case after the person had looked."""

    def __init__(self, latest: CaseStep) -> None:
        super().__init__(f"{latest.action} by {latest.actor} at {latest.at.isoformat()}")
        self.latest = latest
        """What the other did."""


class NotAtThisStage(CaseRefusal):
    """The case stands elsewhere than where that can be done."""

    def __init__(self, stage: Stage, *, needed: tuple[Stage, ...]) -> None:
        super().__init__(f"found {stage.value}; needed {' or '.join(needed)}")
        self.stage = stage


class NotNamed(CaseRefusal):
    """Whoever decides about money has an account."""


class HeldCase(NamedTuple):
    """A case that is locked for the current transaction."""

    case: Case
    steps: list[CaseStep]
    stage: Stage

    @property
    def latest(self) -> CaseStep:
        """The step that says where it stands."""
        return self.steps[-1]

    @property
    def proposal(self) -> CaseStep:
        """The latest proposal; the stage says that there is one."""
        return [step for step in self.steps if step.action == CaseStep.Action.PROPOSED][-1]


def hold_case(case_id: int, *, seen: int, at: tuple[Stage, ...]) -> HeldCase:
    """Locks a case for this transaction, if it stands as the person saw it and where it must.

    ``seen`` is the sequence of the latest step that the person knows. Raises CaseMoved or
    NotAtThisStage.
    """
    lock_names([f"case:{case_id}"])
    case = Case.objects.select_related("reason", "table").get(pk=case_id)
    steps = list(steps_of_case(case))
    if steps[-1].sequence != seen:
        raise CaseMoved(steps[-1])
    stage = stage_of(case, steps[-1], CaseRun.objects.filter(pk=case_id).first())
    if stage not in at:
        raise NotAtThisStage(stage, needed=at)
    return HeldCase(case, steps, stage)


def add_case_step(
    case: Case,
    action: CaseStep.Action,
    *,
    sequence: int,
    note: str = "",
    at: datetime,
    actor: Actor,
    told: Mapping[str, Any] | None = None,
    **columns: Any,  # noqa: ANN401  of the step
) -> CaseStep:
    """Adds a step and its record in the trail, in the current transaction. Raises NotNamed.

    A part of the platform may open a case, which decides nothing; all that follows is done by
    persons with an account.
    """
    if actor.user_id is None and action is not CaseStep.Action.OPENED:
        raise NotNamed(f"found {actor.name}; needed a person with an account")
    step = CaseStep.objects.create(
        case=case,
        sequence=sequence,
        action=action,
        note=note,
        at=at,
        actor=actor.name,
        actor_user_id=actor.user_id or 0,
        **columns,
    )
    details = {"kind": case.kind, "note": note, **(told or {})}
    entry = Entry(f"CASE_{action.value.upper()}", f"case:{case}", details)
    record_entries([entry], at=at, actor=actor)
    return step

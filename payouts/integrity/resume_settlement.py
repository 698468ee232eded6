"""The resumption of settlement by two persons, each by signature, with a reason."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from compliance.signatures.sign_decision import create_signed_step, signed_together
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor, is_same_person
from compliance.trail.steps import StepError, require_person
from payouts.integrity.models import IntegrityStop, IntegrityStopStep
from payouts.integrity.stop_settlement import LOCK
from payouts.settlement.four_eyes import FourEyesRequired, require_reason


class StopsChanged(StepError):
    """There are no such stops, or somebody has proposed to resume, or resumed, in the meantime."""


def resume_settlement(
    *, seen: Mapping[UUID, int], note: str, at: datetime, actor: Actor
) -> list[IntegrityStopStep]:
    """Proposes to resume after these stops, or resumes as the second person. Signed once.

    ``seen`` has the number of steps of each stop that the person saw. Raises ReasonRequired,
    PersonRequired, StopsChanged, FourEyesRequired, or as ``record_decision``; nothing is written
    then.
    """
    note = require_reason(note)
    require_person(actor)
    with signed_together(actor) as signing:
        lock_names([LOCK])
        stops = list(IntegrityStop.objects.filter(pk__in=seen).order_by("at", "pk"))
        if len(stops) != max(len(seen), 1):
            raise StopsChanged(f"found {len(stops)} stops; needed the {len(seen)} that were seen")
        return [_resume(stop, seen[stop.pk], note, at=at, actor=signing) for stop in stops]


def _resume(
    stop: IntegrityStop, seen: int, note: str, *, at: datetime, actor: Actor
) -> IntegrityStopStep:
    steps = list(stop.steps.order_by("sequence"))
    if len(steps) != seen or seen > 1:
        raise StopsChanged(f"found {len(steps)} steps; needed the {seen} that were seen")
    if steps and is_same_person(steps[0].actor, steps[0].actor_user_id, actor):
        raise FourEyesRequired(f"found {actor.name} twice; needed two persons")
    return create_signed_step(
        IntegrityStopStep,
        stop=stop,
        sequence=seen + 1,
        action=IntegrityStopStep.Action.RESUMED if steps else IntegrityStopStep.Action.PROPOSED,
        note=note,
        at=at,
        actor=actor,
    )

"""What every action on stuck work shares: one person at a time, on what that person saw."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.models import FailingTask, StuckWorkStep, WorkKind
from payouts.stuck.steps import latest_step
from payouts.stuck.work import WorkId
from rounds.models import (
    ConflictingDocument,
    OpenConflict,
    OpenQuarantine,
    QuarantinedDocument,
    QueuedRound,
)
from rounds.services.intake import lock_names
from rounds.services.open_documents import set_open

_OPEN: Final[Mapping[WorkKind, type[OpenConflict | OpenQuarantine]]] = {
    WorkKind.CONFLICT: OpenConflict,
    WorkKind.DOCUMENT: OpenQuarantine,
}


class StuckWorkRefusal(Exception):
    """Something cannot be done about a piece of stuck work; nothing was written."""


class StuckWorkGone(StuckWorkRefusal):
    """It does not stand still any more: the round is settled or held, the task has recovered."""


class StuckWorkClosed(StuckWorkRefusal):
    """Somebody has dealt with it already."""


class StuckWorkMoved(StuckWorkRefusal):
    """Somebody else acted on it after the person had looked."""

    def __init__(self, latest: StuckWorkStep) -> None:
        super().__init__(f"{latest.action} by {latest.actor} at {latest.at.isoformat()}")
        self.latest = latest
        """What the other did, and who has the work now."""


class Held(NamedTuple):
    """A piece of work that is locked for the current transaction."""

    work: WorkId
    subject: str
    """What the trail calls it."""
    known_by: Mapping[str, Any]
    """What the trail must know to find it within its subject."""
    latest: StuckWorkStep | None

    @property
    def is_closed(self) -> bool:
        """Whether somebody has dealt with it."""
        return self.latest is not None and self.latest.is_closing

    @property
    def owner(self) -> User | None:
        """Who has it in hand."""
        return None if self.latest is None else self.latest.owner


def hold_work(work: WorkId, *, seen: int) -> Held:
    """Locks a piece of stuck work for this transaction, if nothing happened since it was seen.

    ``seen`` is the sequence of the latest step that the person knows, 0 for none. Raises
    StuckWorkGone or StuckWorkMoved.
    """
    lock_names([f"stuck:{work.kind.value}:{work.key}"])
    subject, known_by = _subject_of(work)
    latest = latest_step(work)
    if latest is not None and latest.sequence != seen:
        raise StuckWorkMoved(latest)
    return Held(work, subject, known_by, latest)


def add_step(
    held: Held,
    action: StuckWorkStep.Action,
    *,
    owner: User | None,
    note: str,
    at: datetime,
    actor: Actor,
) -> StuckWorkStep:
    """Adds what a person did to the work's chain, which closes the work or opens it again."""
    step = StuckWorkStep.objects.create(
        **held.work.reference,
        sequence=1 if held.latest is None else held.latest.sequence + 1,
        action=action,
        owner=owner,
        note=note,
        at=at,
        actor=actor.name,
        actor_user_id=actor.user_id,
    )
    if step.is_closing != held.is_closed and held.work.kind in _OPEN:
        set_open(_OPEN[held.work.kind], held.work.key, is_open=held.is_closed)
    return step


def record_step(
    action: str, held: Held, details: Mapping[str, Any], *, at: datetime, actor: Actor
) -> None:
    """Adds it to the trail, in the same transaction."""
    known = {"kind": held.work.kind.value, **held.known_by}
    record_entries([Entry(action, held.subject, {**known, **details})], at=at, actor=actor)


def _subject_of(work: WorkId) -> tuple[str, dict[str, Any]]:
    match work.kind:
        case WorkKind.ROUND:
            waiting = QueuedRound.objects.select_related("round").filter(pk=work.key).first()
            if waiting is None:
                raise StuckWorkGone
            return f"round:{waiting.round.reference}", {}
        case WorkKind.CONFLICT:
            conflict = ConflictingDocument.objects.select_related("round").get(pk=work.key)
            return f"round:{conflict.round.reference}", {"digest": bytes(conflict.digest).hex()}
        case WorkKind.DOCUMENT:
            document = QuarantinedDocument.objects.defer("content").get(pk=work.key)
            found_by = {"line": document.line, "digest": bytes(document.digest).hex()}
            return f"feed:{document.source}", found_by
        case WorkKind.TASK:
            failing = FailingTask.objects.get(pk=work.key)
            if failing.recovered_at is not None:
                raise StuckWorkGone
            return f"task:{failing.task}", {"failing_since": failing.first_failed_at.isoformat()}

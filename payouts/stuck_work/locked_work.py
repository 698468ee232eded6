"""Adding a step to an exception: one person at a time, on the state that the person saw."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User

from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.record import Entry
from compliance.trail.steps import StepError, create_step, require_latest
from payouts.settlement.queries import is_held
from payouts.stuck_work.models import FailingTask, StuckWorkStep, WorkKind
from payouts.stuck_work.steps import latest_step
from payouts.stuck_work.work import WorkId
from rounds.models import (
    ConflictingDocument,
    OpenConflict,
    OpenQuarantine,
    QuarantinedDocument,
    QueuedRound,
    Round,
)
from rounds.services.open_documents import set_open

_OPEN: Final[Mapping[WorkKind, type[OpenConflict | OpenQuarantine]]] = {
    WorkKind.CONFLICT: OpenConflict,
    WorkKind.DOCUMENT: OpenQuarantine,
}


class StuckWorkEnded(StepError):
    """The work is no longer stuck: its round is settled or held, or its task has recovered."""


class StuckWorkResolved(StepError):
    """The work was resolved before."""


class LockedWork(NamedTuple):
    """An exception that is locked for the current transaction."""

    work: WorkId
    subject: str
    """The subject of its audit records."""
    identity: Mapping[str, Any]
    """The members of an audit record that identify it within its subject."""
    latest: StuckWorkStep | None

    @property
    def is_closed(self) -> bool:
        """Whether it was resolved."""
        return self.latest is not None and self.latest.is_closing

    @property
    def owner(self) -> User | None:
        """Its present owner."""
        return None if self.latest is None else self.latest.owner


def lock_work(work: WorkId, *, seen: int, may_be_held: bool = False) -> LockedWork:
    """Locks an exception for this transaction.

    ``seen`` is the sequence of the latest step that the person knows, 0 for none. A held round is
    no exception: it waits for a decision and not for a worker, but it can have an owner
    (``may_be_held``). Raises StuckWorkEnded or StaleState.
    """
    lock_names([f"stuck:{work.kind.value}:{work.key}"])
    subject, identity = _subject_of(work, may_be_held=may_be_held)
    latest = latest_step(work)
    if latest is not None:
        require_latest(latest, seen=seen)
    return LockedWork(work, subject, identity, latest)


def lock_unresolved(work: WorkId, *, seen: int) -> LockedWork:
    """Locks work like ``lock_work``. Raises StuckWorkResolved if it was resolved."""
    locked = lock_work(work, seen=seen)
    if locked.is_closed:
        raise StuckWorkResolved
    return locked


def add_step(
    locked: LockedWork,
    action: StuckWorkStep.Action,
    record: tuple[str, Mapping[str, Any]],
    *,
    owner: User | None,
    note: str = "",
    at: datetime,
    actor: Actor,
) -> StuckWorkStep:
    """Adds a step with its audit record (action, details). It closes the work or reopens it."""
    audit_action, details = record
    members = {"kind": locked.work.kind.value, **locked.identity, **details}
    step = create_step(
        StuckWorkStep,
        Entry(audit_action, locked.subject, members),
        at=at,
        actor=actor,
        **locked.work.reference,
        sequence=1 if locked.latest is None else locked.latest.sequence + 1,
        action=action,
        owner=owner,
        note=note,
    )
    if step.is_closing != locked.is_closed and locked.work.kind in _OPEN:
        set_open(_OPEN[locked.work.kind], locked.work.key, is_open=locked.is_closed)
    return step


def _subject_of(work: WorkId, *, may_be_held: bool) -> tuple[str, dict[str, Any]]:
    match work.kind:
        case WorkKind.ROUND:
            is_open = QueuedRound.objects.filter(pk=work.key).exists() or (
                may_be_held and is_held(work.key)
            )
            if not is_open:
                raise StuckWorkEnded
            return f"round:{Round.objects.get(pk=work.key).reference}", {}
        case WorkKind.CONFLICT:
            conflict = ConflictingDocument.objects.select_related("round").get(pk=work.key)
            return f"round:{conflict.round.reference}", {"digest": bytes(conflict.digest).hex()}
        case WorkKind.DOCUMENT:
            document = QuarantinedDocument.objects.defer("content").get(pk=work.key)
            identity = {"line": document.line, "digest": bytes(document.digest).hex()}
            return f"feed:{document.source}", identity
        case WorkKind.TASK:
            failing = FailingTask.objects.get(pk=work.key)
            if failing.recovered_at is not None:
                raise StuckWorkEnded
            return f"task:{failing.task}", {"failing_since": failing.first_failed_at.isoformat()}

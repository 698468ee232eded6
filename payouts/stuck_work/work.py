"""An exception of any kind: a round, a conflict, a document or a task."""

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from payouts.stuck_work.models import FailingTask, StuckWorkStep, WorkKind
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound

STUCK_AFTER: Final = timedelta(minutes=5)
"""How long a round may wait or a task may fail before it is stuck."""

MOST_TRIES: Final = 3
"""How many failures make it stuck."""

StuckRow = QueuedRound | ConflictingDocument | QuarantinedDocument | FailingTask


class WorkId(NamedTuple):
    """The kind of the work and its key (a round's id, else the row's number)."""

    kind: WorkKind
    key: Any

    @property
    def reference(self) -> dict[str, Any]:
        """The column of ``StuckWorkStep`` that refers to it, with its value."""
        return {f"{self.kind.value}_id": self.key}


class StuckWork(NamedTuple):
    """An exception as the list shows it."""

    id: WorkId
    place: int
    """Its place within its kind; a later arrival has a higher one."""
    since: datetime
    tries: int | None
    """Number of failures; None if nothing is retried."""
    error: str
    """The last technical error; empty if the kind says it, or nothing failed yet."""
    due_at: datetime | None
    """When the sweep retries it."""
    row: StuckRow
    step: StuckWorkStep | None
    """The latest step of a person."""


def work_of(row: StuckRow, step: StuckWorkStep | None = None) -> StuckWork:
    """The work of a row, stuck or not."""
    if isinstance(row, QueuedRound):
        work = WorkId(WorkKind.ROUND, row.round_id)
        since, place = row.round.received_at, row.arrival
        return StuckWork(work, place, since, row.attempts, row.last_error, row.due_at, row, step)
    if isinstance(row, FailingTask):
        work, since = WorkId(WorkKind.TASK, row.pk), row.first_failed_at
        return StuckWork(work, row.pk, since, row.failures, row.last_error, None, row, step)
    if isinstance(row, ConflictingDocument):
        work = WorkId(WorkKind.CONFLICT, row.pk)
        return StuckWork(work, row.pk, row.received_at, None, "", None, row, step)
    work, error = WorkId(WorkKind.DOCUMENT, row.pk), f"{row.field}: {row.found}"
    return StuckWork(work, row.pk, row.received_at, None, error, None, row, step)

"""One piece of stuck work, whatever it is."""

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from payouts.models import FailingTask, StuckWorkStep, WorkKind
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound

PATIENCE: Final = timedelta(minutes=5)
"""So long a round may wait or a task may fail before somebody should look."""

MOST_TRIES: Final = 3
"""So often it may fail."""

StuckRow = QueuedRound | ConflictingDocument | QuarantinedDocument | FailingTask


class WorkId(NamedTuple):
    """What stands still: its kind, and its key there (a round's id, else the row's number)."""

    kind: WorkKind
    key: Any

    @property
    def reference(self) -> dict[str, Any]:
        """The column of ``StuckWorkStep`` that refers to it, with its value."""
        return {f"{self.kind.value}_id": self.key}


class StuckWork(NamedTuple):
    """A piece of stuck work as the queue shows it."""

    id: WorkId
    place: int
    """Its place among those of its kind: the later it came, the higher."""
    since: datetime
    tries: int | None
    """How often it failed; None where nothing is tried by itself."""
    error: str
    """The last error in technical words; empty where the kind says it, or nothing failed yet."""
    due_at: datetime | None
    """When the sweep tries it next."""
    row: StuckRow
    step: StuckWorkStep | None
    """The last that was done about it by a person."""


def work_of(row: StuckRow, step: StuckWorkStep | None = None) -> StuckWork:
    """A row as a piece of stuck work, whether or not it is stuck by now."""
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

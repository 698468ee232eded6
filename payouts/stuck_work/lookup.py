"""Looking up one exception by kind and key."""

import re
from typing import Final
from uuid import UUID

from payouts.stuck_work.models import FailingTask, WorkKind
from payouts.stuck_work.steps import latest_step
from payouts.stuck_work.work import StuckRow, StuckWork, WorkId, work_of
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound

_NUMBER: Final = re.compile(r"[0-9]{1,18}")


def work_id_of(kind: str, key: str) -> WorkId | None:
    """The id of a kind and key as in a URL; None if they are invalid."""
    if kind not in WorkKind.values:
        return None
    if kind != WorkKind.ROUND:
        return WorkId(WorkKind(kind), int(key)) if _NUMBER.fullmatch(key) else None
    try:
        return WorkId(WorkKind.ROUND, UUID(key))
    except ValueError:
        return None


def known_work(kind: str, key: str) -> WorkId | None:
    """The id of a kind and key, if such a row exists.

    A round is not looked up: actions on it raise StuckWorkEnded if it no longer waits.
    """
    work = work_id_of(kind, key)
    if work is None or work.kind is WorkKind.ROUND:
        return work
    return None if _row_of(work) is None else work


def find_work(work: WorkId) -> StuckWork | None:
    """The work with its latest step, stuck or not; None for a round that no longer waits."""
    row = _row_of(work)
    return None if row is None else work_of(row, latest_step(work))


def _row_of(work: WorkId) -> StuckRow | None:
    match work.kind:
        case WorkKind.ROUND:
            rounds = QueuedRound.objects.select_related("round", "round__table")
            return rounds.filter(pk=work.key).first()
        case WorkKind.CONFLICT:
            conflicts = ConflictingDocument.objects.select_related("round", "round__table")
            return conflicts.defer("content").filter(pk=work.key).first()
        case WorkKind.DOCUMENT:
            return QuarantinedDocument.objects.defer("content").filter(pk=work.key).first()
        case WorkKind.TASK:
            return FailingTask.objects.filter(pk=work.key).first()

"""One piece of stuck work by its address."""

import re
from typing import Final
from uuid import UUID

from payouts.models import FailingTask, WorkKind
from payouts.stuck.steps import latest_step
from payouts.stuck.work import StuckRow, StuckWork, WorkId, work_of
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound

_NUMBER: Final = re.compile(r"[0-9]{1,18}")


def work_id_of(kind: str, key: str) -> WorkId | None:
    """What an address names; None for what names nothing."""
    if kind not in WorkKind.values:
        return None
    if kind != WorkKind.ROUND:
        return WorkId(WorkKind(kind), int(key)) if _NUMBER.fullmatch(key) else None
    try:
        return WorkId(WorkKind.ROUND, UUID(key))
    except ValueError:
        return None


def known_work(kind: str, key: str) -> WorkId | None:
    """What an address names, if there is or was such a thing.

    A round counts as known: whether it still waits is for those to say who act on it.
    """
    work = work_id_of(kind, key)
    if work is None or work.kind is WorkKind.ROUND:
        return work
    return None if _row_of(work) is None else work


def find_work(work: WorkId) -> StuckWork | None:
    """The work with its last step, stuck or not; None for a round that waits no more."""
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

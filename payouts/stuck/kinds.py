"""The kinds of stuck work, each as a stream of rows in the order in which they came."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from heapq import merge
from typing import Any, NamedTuple

from django.db.models import F, Q, QuerySet

from payouts.models import FailingTask, WorkKind
from payouts.stuck.steps import Whose, owned, still_open
from payouts.stuck.work import MOST_TRIES, PATIENCE, StuckRow
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound
from rounds.suspended import WAITS_FOR_TABLE


class Asked(NamedTuple):
    """What part of the stuck work is asked for, and at what time."""

    at: datetime
    kinds: Sequence[WorkKind] = tuple(WorkKind)
    whose: Whose | None = None
    user_id: int | None = None


class Stretch(NamedTuple):
    """Up to so many rows of a kind behind a place, or those up to it that lie nearest."""

    place: int
    size: int
    backwards: bool = False

    def of(self, rows: QuerySet[Any], key: str) -> list[Any]:
        """These of the rows; ``key`` is the column that orders them."""
        if self.backwards:
            up_to = rows.filter(**{f"{key}__lte": self.place})
            return list(up_to.order_by(f"-{key}")[: self.size])
        return list(rows.filter(**{f"{key}__gt": self.place}).order_by(key)[: self.size])


def stuck_rows(kind: WorkKind, asked: Asked, stretch: Stretch) -> Sequence[StuckRow]:
    """Stuck rows of one kind, each read by an index however many there are."""
    match kind:
        case WorkKind.ROUND:
            return _rounds(asked, stretch)
        case WorkKind.CONFLICT:
            conflicts = ConflictingDocument.objects.select_related("round", "round__table")
            return stretch.of(_asked(kind, conflicts.defer("content"), asked), "id")
        case WorkKind.DOCUMENT:
            documents = QuarantinedDocument.objects.defer("content")
            return stretch.of(_asked(kind, documents, asked), "id")
        case WorkKind.TASK:
            return stretch.of(_asked(kind, _tasks(asked.at), asked), "id")


def _asked(kind: WorkKind, rows: QuerySet[Any], asked: Asked) -> QuerySet[Any]:
    rows = still_open(kind, rows)
    if asked.whose is None:
        return rows
    return owned(kind, rows, whose=asked.whose, user_id=asked.user_id)


def _rounds(asked: Asked, stretch: Stretch) -> list[QueuedRound]:
    """Rounds that failed, and rounds that no worker has tried for too long.

    Of the latter only the oldest are read: what came after a round that is not yet late is not
    late either, so that a long queue of fresh rounds costs nothing. What waits for a suspended
    table stands still because somebody wants it to.
    """
    overdue = asked.at - PATIENCE
    rounds = QueuedRound.objects.select_related("round", "round__table")
    waiting = _asked(WorkKind.ROUND, rounds.filter(~WAITS_FOR_TABLE), asked)
    failed = waiting.filter(Q(attempts__gte=MOST_TRIES) | Q(due_at__lte=overdue), attempts__gt=0)
    untried = stretch.of(waiting.filter(attempts=0), "arrival")
    late = (row for row in untried if row.due_at <= overdue)
    both: Iterable[QueuedRound] = merge(
        stretch.of(failed, "arrival"),
        late,
        key=lambda row: row.arrival,
        reverse=stretch.backwards,
    )
    return list(both)[: stretch.size]


def _tasks(at: datetime) -> QuerySet[FailingTask]:
    """Tasks that fail; one that has just recovered stays a while, as it may fail again."""
    failing = FailingTask.objects.filter(
        Q(recovered_at__isnull=True) | Q(recovered_at__gt=at - PATIENCE)
    )
    lasting = Q(first_failed_at__lte=at - PATIENCE) & (
        Q(recovered_at__isnull=True) | Q(recovered_at__gte=F("first_failed_at") + PATIENCE)
    )
    return failing.filter(Q(failures__gte=MOST_TRIES) | lasting)

"""The stuck rows of each kind, in the order of their arrival."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from heapq import merge
from typing import Any, NamedTuple

from django.db.models import F, Q, QuerySet, Value

from payouts.stuck_work.models import FailingTask, WorkKind
from payouts.stuck_work.steps import OwnerFilter, filter_by_owner, unresolved
from payouts.stuck_work.work import MOST_TRIES, STUCK_AFTER, StuckRow
from rounds.models import ConflictingDocument, QuarantinedDocument, QueuedRound
from rounds.suspended_tables import WAITS_FOR_TABLE


class WorkQuery(NamedTuple):
    """A query for exceptions: time, kinds, owner."""

    at: datetime
    kinds: Sequence[WorkKind] = tuple(WorkKind)
    owner: OwnerFilter | None = None
    user_id: int | None = None


class KeysetSlice(NamedTuple):
    """At most ``size`` rows after a place, or the last ones up to it."""

    place: int
    size: int
    backwards: bool = False

    def of(self, rows: QuerySet[Any], key: str) -> list[Any]:
        """The rows of the slice, ordered by the column ``key``."""
        if self.backwards:
            up_to = rows.filter(**{f"{key}__lte": self.place})
            return list(up_to.order_by(f"-{key}")[: self.size])
        return list(rows.filter(**{f"{key}__gt": self.place}).order_by(key)[: self.size])


def stuck_rows(kind: WorkKind, query: WorkQuery, keyset: KeysetSlice) -> Sequence[StuckRow]:
    """The stuck rows of one kind, read by an index."""
    match kind:
        case WorkKind.ROUND:
            return _rounds(query, keyset)
        case WorkKind.CONFLICT:
            conflicts = ConflictingDocument.objects.select_related("round", "round__table")
            return keyset.of(_matching(kind, conflicts.defer("content"), query), "id")
        case WorkKind.DOCUMENT:
            documents = QuarantinedDocument.objects.defer("content")
            return keyset.of(_matching(kind, documents, query), "id")
        case WorkKind.TASK:
            return keyset.of(_matching(kind, _tasks(query.at), query), "id")


def count_stuck(at: datetime, *, most: int) -> int:
    """The number of exceptions of all kinds, up to ``most`` of each, by one query."""
    return stuck_of_all_kinds(at, most=most).count()


def count_stuck_by_kind(at: datetime, *, most: int) -> dict[WorkKind, int]:
    """The number of exceptions of each kind, up to ``most``; twice that of rounds."""
    counted = dict.fromkeys(WorkKind, 0)
    for kind, rows in _each_kind(at, most=most):
        counted[kind] += rows.count()
    return counted


def stuck_of_all_kinds(at: datetime, *, most: int) -> QuerySet[Any]:
    """A row for each exception, up to ``most`` of each kind, to be counted."""
    first, *others = (rows for _kind, rows in _each_kind(at, most=most))
    return first.union(*others, all=True)


def _each_kind(at: datetime, *, most: int) -> list[tuple[WorkKind, QuerySet[Any]]]:
    """A row for each exception, of rounds that failed and of others that wait apart."""
    query = WorkQuery(at)
    failed, untried = _round_rows(query)
    oldest = untried.order_by("arrival")[:most].values("pk")
    conflicts, documents = ConflictingDocument.objects.all(), QuarantinedDocument.objects.all()
    counted: list[tuple[WorkKind, QuerySet[Any]]] = [
        (WorkKind.ROUND, failed),
        (
            WorkKind.ROUND,
            QueuedRound.objects.filter(pk__in=oldest, due_at__lte=at - STUCK_AFTER),
        ),
        (WorkKind.CONFLICT, _matching(WorkKind.CONFLICT, conflicts, query)),
        (WorkKind.DOCUMENT, _matching(WorkKind.DOCUMENT, documents, query)),
        (WorkKind.TASK, _matching(WorkKind.TASK, _tasks(at), query)),
    ]
    return [(kind, rows.order_by().values(one=Value(1))[:most]) for kind, rows in counted]


def _matching(kind: WorkKind, rows: QuerySet[Any], query: WorkQuery) -> QuerySet[Any]:
    rows = unresolved(kind, rows)
    if query.owner is None:
        return rows
    return filter_by_owner(kind, rows, owner=query.owner, user_id=query.user_id)


def _rounds(query: WorkQuery, keyset: KeysetSlice) -> list[QueuedRound]:
    """Rounds that failed, and rounds that no worker has tried for too long.

    Of the latter only the oldest are read: rounds after one that is not overdue are not overdue
    either, so a long queue of new rounds costs nothing. Rounds of suspended tables are left out.
    """
    failed, untried = (rows.select_related("round", "round__table") for rows in _round_rows(query))
    overdue = query.at - STUCK_AFTER
    both: Iterable[QueuedRound] = merge(
        keyset.of(failed, "arrival"),
        (row for row in keyset.of(untried, "arrival") if row.due_at <= overdue),
        key=lambda row: row.arrival,
        reverse=keyset.backwards,
    )
    return list(both)[: keyset.size]


def _round_rows(query: WorkQuery) -> tuple[QuerySet[QueuedRound], QuerySet[QueuedRound]]:
    """Rounds that failed, and all that no worker has tried."""
    rounds = QueuedRound.objects.filter(~WAITS_FOR_TABLE)
    waiting = _matching(WorkKind.ROUND, rounds, query)
    is_due = Q(due_at__lte=query.at - STUCK_AFTER)
    failed = waiting.filter(Q(attempts__gte=MOST_TRIES) | is_due, attempts__gt=0)
    return failed, waiting.filter(attempts=0)


def _tasks(at: datetime) -> QuerySet[FailingTask]:
    """Failing tasks, and tasks that have just recovered and may fail again."""
    failing = FailingTask.objects.filter(
        Q(recovered_at__isnull=True) | Q(recovered_at__gt=at - STUCK_AFTER)
    )
    lasting = Q(first_failed_at__lte=at - STUCK_AFTER) & (
        Q(recovered_at__isnull=True) | Q(recovered_at__gte=F("first_failed_at") + STUCK_AFTER)
    )
    return failing.filter(Q(failures__gte=MOST_TRIES) | lasting)

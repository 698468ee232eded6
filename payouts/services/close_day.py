"""Closing a gaming day: its totals go on record, and nothing is booked on it any more.

All that takes long is read first, while others book. Then nobody books for a moment: if nothing
came to the day meanwhile, what was read still holds, and else it is read again.
"""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Min, Q, Sum

from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from compliance.trail.stretches import Stretch
from payouts.closing.agreement import disagreements
from payouts.closing.booked import Booked, booked_on, bookings_of
from payouts.closing.control import control_totals, digest_of
from payouts.closing.obstacles import (
    BooksDiffer,
    DayNotClosed,
    DayNotOver,
    DayOutOfOrder,
    NotReconciled,
    RoundsWait,
)
from payouts.models import DayClosing, ReconcileDifference, ReconcileRun, Settlement
from payouts.reconciling.found import Difference, Found
from payouts.reconciling.rounds import check_rounds
from rounds.books import lock_books
from rounds.gaming_day import end_of_day
from rounds.models import ClosedDay, QueuedRound, Round

_A_DAY: Final = timedelta(days=1)
_LONGEST_BOOKING: Final = timedelta(minutes=5)
"""Whoever books says when he began; a reconciliation may not see what began before it."""
_MOST_SINCE: Final = 1_000
"""So many rounds are looked at anew in the closing itself; beyond that reconcile first."""
_MOST_NAMED: Final = 20


class _Looked(NamedTuple):
    """What was read of a day, and how much there was of it."""

    bookings: tuple[int, ...]
    booked: Booked
    run: ReconcileRun


def next_day() -> date | None:
    """The first day that is open: after the last closed one, else the first with a round."""
    latest = ClosedDay.objects.order_by("-day").values_list("day", flat=True).first()
    if latest is not None:
        return latest + _A_DAY
    # No settlement is booked before the arrival of its round.
    first: date | None = Round.objects.aggregate(first=Min("booked_on"))["first"]
    return first


def close_day(*, day: date, at: datetime, actor: Actor) -> DayClosing:
    """Closes the day. Raises a ``DayNotClosed`` that says what stands in the way."""
    looked = look_at_day(day, at=at)
    with transaction.atomic():
        lock_books()
        if next_day() != day:
            raise DayOutOfOrder(day, needed=next_day())
        if bookings_of(day) != looked.bookings:
            looked = _look(day, at=at)
        return _close(looked, day, at=at, actor=actor)


def close_days(*, now: Callable[[], datetime], actor: Actor) -> list[DayClosing]:
    """Closes every day that can be closed, the oldest first, and stops at one that cannot."""
    closed: list[DayClosing] = []
    while (day := next_day()) is not None and end_of_day(day) <= now():
        try:
            closed.append(close_day(day=day, at=now(), actor=actor))
        except DayNotClosed:
            break
    return closed


def look_at_day(day: date, *, at: datetime) -> _Looked:
    """What the day comes to, if it can be closed; else a ``DayNotClosed``. Writes nothing.

    All of it as of one moment, while others go on to book.
    """
    if connection.in_atomic_block:
        return _look(day, at=at)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return _look(day, at=at)


def _look(day: date, *, at: datetime) -> _Looked:
    if next_day() != day:
        raise DayOutOfOrder(day, needed=next_day())
    if end_of_day(day) > at:
        raise DayNotOver(day)
    bookings = bookings_of(day)
    _refuse_waiting(day)
    run = _reconciliation_of(day)
    _check_since(day, run)
    booked = booked_on(day)
    found = disagreements(day, booked)
    if found:
        raise BooksDiffer(found, count=len(found))
    return _Looked(bookings, booked, run)


def _close(looked: _Looked, day: date, *, at: datetime, actor: Actor) -> DayClosing:
    totals = control_totals(day, looked.booked)
    digest = digest_of(totals)
    ClosedDay.objects.create(day=day)
    closing = DayClosing.objects.create(
        day=day,
        closed_at=at,
        actor=actor.name,
        actor_user_id=actor.user_id,
        run=looked.run,
        totals=totals,
        digest=digest,
    )
    details = {"totals": totals, "digest": digest.hex(), "reconciliation": looked.run.pk}
    record_entries([Entry("DAY_CLOSED", f"day:{day}", details)], at=at, actor=actor)
    return closing


def _refuse_waiting(day: date) -> None:
    waiting = Round.objects.filter(booked_on=day, id__in=QueuedRound.objects.values("round_id"))
    count = waiting.count()
    if count:
        named = waiting.order_by("id").values_list("id", "reference")[:_MOST_NAMED]
        raise RoundsWait(list(named), count=count)


def _reconciliation_of(day: date) -> ReconcileRun:
    """The last finished one that was begun after the day and looked at it."""
    run = (
        ReconcileRun.objects.filter(
            Q(first_day=None) | Q(first_day__lte=day),
            Q(last_day=None) | Q(last_day__gte=day),
            round=None,
            finished_at__isnull=False,
            started_at__gte=end_of_day(day),
        )
        .order_by("-pk")
        .first()
    )
    if run is None:
        raise NotReconciled(day)
    count = run.parts.aggregate(found=Sum("differences", default=0))["found"]
    if count:
        kept = ReconcileDifference.objects.filter(part__run=run).order_by("part_id", "id")
        names = Difference._fields
        rows = kept.values_list(*names)[:_MOST_NAMED]
        found = [Difference(ReconcileDifference.Kind(kind), *rest) for kind, *rest in rows]
        raise BooksDiffer(found, count=count, run=run)
    return run


def _check_since(day: date, run: ReconcileRun) -> None:
    """What the reconciliation may have been too early for is looked at now, round by round."""
    since = run.started_at - _LONGEST_BOOKING
    ids = {
        *Round.objects.filter(booked_on=day, received_at__gte=since).values_list("id", flat=True),
        *Settlement.objects.filter(booked_on=day, settled_at__gte=since).values_list(
            "round_id", flat=True
        ),
    }
    if len(ids) > _MOST_SINCE:
        raise NotReconciled(day, since=len(ids))
    found = Found()
    for round_id in sorted(ids):
        check_rounds(Stretch(round_id, UUID(int=round_id.int + 1)), found)
    if found.differing:
        raise BooksDiffer(found.differences[:_MOST_NAMED], count=found.differing)

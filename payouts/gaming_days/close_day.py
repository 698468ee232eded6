"""Closing a gaming day: its control totals are recorded, and later bookings refused.

The day is first read while others book. Then booking is locked for a moment; if the day has new
bookings by then, it is read again: under the lock where that is quick, else while others book.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q, Sum

from compliance.signatures.sign_decision import record_decision
from compliance.trail.actor import Actor
from compliance.trail.extra_checks import begin_snapshot
from compliance.trail.key_ranges import KeyRange
from compliance.trail.record import record_entries
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.book_differences import book_differences
from payouts.gaming_days.close_empty_days import close_empty_days, next_day_to_close
from payouts.gaming_days.closing_record import closing_of, closing_record
from payouts.gaming_days.exceptions import (
    BooksDiffer,
    DayNotCloseable,
    DayNotOver,
    DayOutOfOrder,
    DayStillBooked,
    HeldNotAcknowledged,
    NotReconciled,
    RoundsAwaitSettlement,
)
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.verify_closing import require_last_closing
from payouts.reconciliation.bookings import DayBookings, booked_on, booking_counts
from payouts.reconciliation.checks.differences import CheckResult, Difference
from payouts.reconciliation.checks.rounds import check_rounds
from payouts.reconciliation.control_totals import control_totals
from payouts.reconciliation.models import ReconcileDifference, ReconcileRun
from payouts.settlement.models import Settlement
from rounds.booking_day import lock_books
from rounds.gaming_day import end_of_day
from rounds.models import ClosedDay, QueuedRound, Round

_LONGEST_BOOKING: Final = timedelta(minutes=5)
"""The longest booking transaction. A reconciliation may miss one that began before it."""
_MOST_SINCE: Final = 1_000
"""The most rounds that the closing itself checks. With more, reconcile first."""
_MOST_NAMED: Final = 20
_READINGS: Final = 3
_MOMENT: Final = 2.0
"""Seconds. Where reading the day takes longer, it is not read while nobody can book."""


class _Review(NamedTuple):
    """What was read of a day."""

    bookings: tuple[int, ...]
    booked: DayBookings
    run: ReconcileRun
    seconds: float
    """What reading took."""


def close_day(*, day: date, at: datetime, actor: Actor, acknowledged: Amount) -> DayClosing:
    """Closes the day with the signature of the person, over its totals.

    ``acknowledged`` are the held rounds that the person was shown. Raises a ``DayNotCloseable``,
    or as ``record_decision``.
    """
    with _closing(day, at=at, actor=actor, acknowledged=acknowledged) as closing:
        record_decision(closing.entry, at=at, actor=actor)
    return closing


@contextmanager
def _closing(
    day: date, *, at: datetime, actor: Actor, acknowledged: Amount | None
) -> Iterator[DayClosing]:
    """The stored closing, in a transaction that is to record it."""
    for _reading in range(_READINGS):
        review = review_day(day, at=at)
        with transaction.atomic():
            lock_books()
            if next_day_to_close() != day:
                raise DayOutOfOrder(day, needed=next_day_to_close())
            if booking_counts(day) != review.bookings:
                if review.seconds > _MOMENT:
                    continue
                review = _review(day, at=at)
            totals = control_totals(day, review.booked)
            _check_acknowledged(acknowledged, totals)
            ClosedDay.objects.create(day=day)
            closing = closing_of(day, totals, review.run, at=at, actor=actor)
            closing.save(force_insert=True)
            yield closing
            return
    raise DayStillBooked(day, _READINGS)


def close_days(*, now: Callable[[], datetime], actor: Actor) -> list[DayClosing]:
    """Closes days from the oldest open one on, until one cannot be closed, for the nightly job.

    The job names no person and acknowledges no held rounds. Empty days are closed together
    (``close_empty_days``).
    """
    closed: list[DayClosing] = []
    with suppress(DayNotCloseable):
        closed += close_empty_days(at=now(), actor=actor)
        while (day := next_day_to_close()) is not None and end_of_day(day) <= now():
            closed.append(_close_by_night(day, at=now(), actor=actor))
            closed += close_empty_days(at=now(), actor=actor)
    return closed


def _close_by_night(day: date, *, at: datetime, actor: Actor) -> DayClosing:
    with _closing(day, at=at, actor=actor, acknowledged=None) as closing:
        record_entries([closing_record(closing)], at=at, actor=actor)
    return closing


def review_day(day: date, *, at: datetime) -> _Review:
    """Reads the day in one snapshot. Writes nothing. Raises a ``DayNotCloseable``."""
    if connection.in_atomic_block:
        return _review(day, at=at)
    with transaction.atomic():
        begin_snapshot()
        return _review(day, at=at)


def _review(day: date, *, at: datetime) -> _Review:
    began = time.monotonic()
    require_last_closing()
    if next_day_to_close() != day:
        raise DayOutOfOrder(day, needed=next_day_to_close())
    if end_of_day(day) > at:
        raise DayNotOver(day)
    bookings = booking_counts(day)
    _require_none_waiting(day)
    run = _reconciliation_of(day)
    _check_since(day, run)
    booked = booked_on(day)
    differences = book_differences(day, booked)
    if differences:
        raise BooksDiffer(differences, count=len(differences))
    return _Review(bookings, booked, run, time.monotonic() - began)


def _check_acknowledged(acknowledged: Amount | None, totals: dict[str, Any]) -> None:
    held = Amount(totals["all"]["held_rounds"], totals["all"]["held_cents"])
    if acknowledged is not None and acknowledged != held:
        raise HeldNotAcknowledged(acknowledged, held)


def _require_none_waiting(day: date) -> None:
    waiting = Round.objects.filter(booked_on=day, id__in=QueuedRound.objects.values("round_id"))
    count = waiting.count()
    if count:
        named = waiting.order_by("id").values_list("id", "reference")[:_MOST_NAMED]
        raise RoundsAwaitSettlement(list(named), count=count)


def _reconciliation_of(day: date) -> ReconcileRun:
    """The last finished reconciliation of the day that was begun after its end."""
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
        stored = ReconcileDifference.objects.filter(part__run=run).order_by("part_id", "id")
        names = Difference._fields
        rows = stored.values_list(*names)[:_MOST_NAMED]
        differences = [Difference(ReconcileDifference.Kind(kind), *rest) for kind, *rest in rows]
        raise BooksDiffer(differences, count=count, run=run)
    return run


def _check_since(day: date, run: ReconcileRun) -> None:
    """Checks the rounds that the reconciliation may have missed."""
    since = run.started_at - _LONGEST_BOOKING
    ids = {
        *Round.objects.filter(booked_on=day, received_at__gte=since).values_list("id", flat=True),
        *Settlement.objects.filter(booked_on=day, settled_at__gte=since).values_list(
            "round_id", flat=True
        ),
    }
    if len(ids) > _MOST_SINCE:
        raise NotReconciled(day, since=len(ids))
    result = CheckResult()
    for round_id in sorted(ids):
        check_rounds(KeyRange(round_id, UUID(int=round_id.int + 1)), result)
    if result.differing:
        raise BooksDiffer(result.differences[:_MOST_NAMED], count=result.differing)

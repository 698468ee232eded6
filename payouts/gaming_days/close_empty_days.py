"""The next day to close, and closing days without bookings.

Empty days are closed together in one transaction. After more than a year without bookings, or after
a round dated centuries ago, the days between are skipped up to the next booking.
"""

from datetime import date, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, Sum

from compliance.trail.actor import Actor
from compliance.trail.record import record_entries
from payouts.gaming_days.closing_record import closing_of, closing_record
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.verify_closing import require_last_closing
from payouts.reconciliation.bookings import booked_on
from payouts.reconciliation.checks.snapshot import fetch_rows
from payouts.reconciliation.control_totals import control_totals
from payouts.reconciliation.models import ReconcileRun
from rounds.booking_day import lock_books
from rounds.gaming_day import gaming_day
from rounds.models import ClosedDay
from rounds.row_mapping import milliseconds_of

_A_DAY: Final = timedelta(days=1)
MOST_EMPTY: Final = 366
"""The most consecutive empty days that are all closed; of more only the last is."""

# By table, when a row was written: bookings far in the future are not next.
_WRITTEN: Final = {
    "rounds_round": "received_at",
    "payouts_settlement": "settled_at",
    "payouts_payover": "at",
    "payouts_goodwillcredit": "at",
}
_FIRST: Final = [
    f"(SELECT min(booked_on) FROM {table} WHERE booked_on >= %(since)s)" for table in _WRITTEN
]
_FIRST_COME: Final = [
    f"(SELECT min(booked_on) FROM {table} WHERE booked_on >= %(since)s"
    f" AND booked_on <= ({written} AT TIME ZONE 'Europe/Rome')::date + 1)"
    for table, written in _WRITTEN.items()
]


def next_day_to_close() -> date | None:
    """The oldest open day: the one after the last closed day, else the first with a booking.

    After more than a year without bookings it is the next day with one.
    """
    latest = ClosedDay.objects.order_by("-day").values_list("day", flat=True).first()
    if latest is None:
        return _first_of(_FIRST_COME, since=date.min)
    booked = _first_of(_FIRST_COME, since=latest + _A_DAY)
    is_far = booked is not None and booked - latest > timedelta(days=MOST_EMPTY)
    return booked if is_far else latest + _A_DAY


def close_empty_days(*, at: datetime, actor: Actor) -> list[DayClosing]:
    """Closes the open days that are over, up to the first with a booking.

    They need a reconciliation without differences that was begun after the last of them. Raises
    UnsignedClosing.
    """
    require_last_closing()
    if (run := _run_for(next_day_to_close())) is None:
        return []
    with transaction.atomic():
        lock_books()
        days = _empty_days(min(run.started_at, at))
        if not days:
            return []
        totals = control_totals(days[0], booked_on(days[0]))
        return _close(days, totals, run, at=at, actor=actor)


def _first_of(days: list[str], *, since: date) -> date | None:
    [(day,)] = fetch_rows(f"SELECT least({', '.join(days)})", {"since": since})
    first: date | None = day
    return first


def _run_for(first: date | None) -> ReconcileRun | None:
    """The last finished reconciliation from this day on, if it has no difference."""
    if first is None:
        return None
    run = (
        ReconcileRun.objects.filter(
            Q(first_day=None) | Q(first_day__lte=first),
            last_day=None,
            round=None,
            finished_at__isnull=False,
        )
        .annotate(found=Sum("parts__differences", default=0))
        .order_by("-pk")
        .first()
    )
    return None if run is None or run.found else run


def _empty_days(by: datetime) -> list[date]:
    """The empty open days that were over by then; only the last of very many."""
    first, last = next_day_to_close(), gaming_day(milliseconds_of(by)) - _A_DAY
    if first is None:
        return []
    booked = _first_of(_FIRST, since=first)
    if booked == first:
        return []
    if booked is not None and booked <= last:
        last = booked - _A_DAY
    if (last - first).days >= MOST_EMPTY:
        first = last
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def _close(
    days: list[date], totals: dict[str, Any], run: ReconcileRun, *, at: datetime, actor: Actor
) -> list[DayClosing]:
    """Closes the days with the same totals: only rounds that were held before."""
    closings = [
        closing_of(day, {**totals, "day": day.isoformat()}, run, at=at, actor=actor) for day in days
    ]
    ClosedDay.objects.bulk_create([ClosedDay(day=day) for day in days])
    DayClosing.objects.bulk_create(closings)
    record_entries(map(closing_record, closings), at=at, actor=actor)
    return closings

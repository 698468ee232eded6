"""The next day to close, and closing days without bookings.

Empty days are closed together in one transaction. After more than a year without bookings, or after
a round dated centuries ago, the days between are skipped up to the next booking.
"""

from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Q, Sum

from compliance.signatures.sign_decision import record_decision, signed_together
from compliance.trail.actor import Actor
from compliance.trail.record import record_entries
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.closing_record import closing_of, closing_record
from payouts.gaming_days.exceptions import EmptyDaysChanged, HeldNotAcknowledged
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


class EmptyDays(NamedTuple):
    """Open days without bookings that can be closed, in order; they share their totals."""

    days: list[date]
    totals: dict[str, Any]
    """The control totals of the first: nothing but rounds that were held before."""
    run: ReconcileRun

    @property
    def last(self) -> date:
        """The last of the days."""
        return self.days[-1]

    @property
    def held(self) -> Amount:
        """The held rounds that each closing records."""
        of_all = self.totals["all"]
        return Amount(of_all["held_rounds"], of_all["held_cents"])


def empty_days(*, at: datetime) -> EmptyDays | None:
    """The open days that are over, up to the first with a booking; None if the next has one.

    They need a reconciliation without differences that was begun after the last of them.
    """
    if (run := _run_for(next_day_to_close())) is None:
        return None
    days = _empty_days(min(run.started_at, at))
    return EmptyDays(days, control_totals(days[0], booked_on(days[0])), run) if days else None


def close_empty_days(*, at: datetime, actor: Actor) -> list[DayClosing]:
    """Closes the empty days for the nightly job. Raises UnsignedClosing."""
    require_last_closing()
    with transaction.atomic():
        lock_books()
        if (empty := empty_days(at=at)) is None:
            return []
        closings = _store(empty, at=at, actor=actor)
        record_entries(map(closing_record, closings), at=at, actor=actor)
    return closings


def sign_empty_days(
    *, first: date, last: date, at: datetime, actor: Actor, acknowledged: Amount
) -> list[DayClosing]:
    """Closes the empty days together with one signature of the person, a record each.

    ``first`` and ``last`` are those that the person was shown, ``acknowledged`` the held rounds.
    Raises a ``DayNotCloseable``, or as ``record_decision``.
    """
    require_last_closing()
    with signed_together(actor) as signing:
        lock_books()
        empty = empty_days(at=at)
        if empty is None:
            raise EmptyDaysChanged(first, last, found=())
        if (empty.days[0], empty.last) != (first, last):
            raise EmptyDaysChanged(first, last, found=empty.days)
        if acknowledged != empty.held:
            raise HeldNotAcknowledged(acknowledged, empty.held)
        closings = _store(empty, at=at, actor=actor)
        for closing in closings:
            record_decision(closing.entry, at=at, actor=signing)
    return closings


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


def _store(empty: EmptyDays, *, at: datetime, actor: Actor) -> list[DayClosing]:
    """The stored closings, in a transaction that is to record them."""
    closings = [
        closing_of(day, {**empty.totals, "day": day.isoformat()}, empty.run, at=at, actor=actor)
        for day in empty.days
    ]
    ClosedDay.objects.bulk_create([ClosedDay(day=day) for day in empty.days])
    DayClosing.objects.bulk_create(closings)
    return closings

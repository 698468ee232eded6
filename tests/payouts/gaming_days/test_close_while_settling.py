"""Closing a day while settlements are booked: totals contain all bookings of the day."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
from django.db import connection, transaction

from payouts.gaming_days import close_day as closing_module
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_day import close_day
from payouts.gaming_days.exceptions import DayStillBooked
from payouts.gaming_days.models import DayClosing
from payouts.reconciliation.bookings import booked_on
from payouts.reconciliation.control_totals import control_totals
from payouts.settlement.models import Settlement
from rounds.booking_day import lock_books
from rounds.models import ClosedDay
from tests.books import rows_of
from tests.casino_in_play import open_table
from tests.payouts.gaming_days.day_scenarios import (
    AFTER,
    COMPLIANCE,
    DAY,
    NEXT,
    NOON,
    arrive,
    dealt,
    reconcile_at,
    settle_at,
)
from tests.payouts.settlement.resettlement_scenarios import void
from tests.processes import wait_until

_ROUNDS = 24
_WAITING = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
_LATER = AFTER + timedelta(minutes=1)
_LOCKS = "SELECT 1 FROM pg_locks WHERE relation = 'payouts_reconcilerun'::regclass AND "
_HELD = f"{_LOCKS} granted AND mode = 'AccessExclusiveLock'"
_READS = f"{_LOCKS} NOT granted"


@pytest.fixture(autouse=True)
def _played(fresh_casino: str) -> None:
    """Rounds of the day, settled and reconciled."""
    open_table()
    arrive(*(dealt(f"r-{number}", NOON) for number in range(_ROUNDS)))
    settle_at()
    reconcile_at()


@pytest.fixture
def aside() -> Iterator[Callable[[Callable[[], object]], "Future[object]"]]:
    """Another connection."""
    with ThreadPoolExecutor(4) as hands:
        yield lambda work: hands.submit(_with_own_connection, work)


def _with_own_connection(work: Callable[[], object]) -> object:
    try:
        return work()
    finally:
        connection.close()


def close_the_day() -> DayClosing:
    """Compliance closes the day."""
    at, none = AFTER + timedelta(minutes=30), Amount(0, 0)
    return close_day(day=DAY, at=at, actor=COMPLIANCE, acknowledged=none)


def somebody_waits() -> bool:
    """Whether a connection waits for the books."""
    return rows_of(_WAITING) != []


def hold_reading(free: Event) -> None:
    """No day is read until the event: that reads the reconciliations, which no booking does."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE payouts_reconcilerun IN ACCESS EXCLUSIVE MODE")
        free.wait(60)


class TestAClosing:
    def test_waits_for_bookings(self, aside: Callable[..., "Future[object]"]) -> None:
        """An uncommitted void is in the totals of the day."""
        with transaction.atomic():
            void("r-0", after=1, at=_LATER)
            closing = aside(close_the_day)
            wait_until(somebody_waits, what="the closing waits for the books")
            assert not ClosedDay.objects.exists()
        closing.result()

        assert Settlement.objects.get(sequence=2).booked_on == DAY
        assert DayClosing.objects.get().totals["all"]["corrections"] == 1
        assert_the_day_stands()

    def test_does_not_block_bookings_while_it_reads_a_long_day_again(
        self, aside: Callable[..., "Future[object]"], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The books are free by then; what arrives is in the totals."""
        monkeypatch.setattr(closing_module, "_MOMENT", 0)
        free = Event()
        with transaction.atomic():
            void("r-0", after=1, at=_LATER)
            closing = aside(close_the_day)
            wait_until(somebody_waits, what="the closing waits for the books")
            aside(lambda: hold_reading(free))
            wait_until(lambda: rows_of(_HELD) != [], what="reading is held up")
        wait_until(lambda: rows_of(_READS) != [], what="the closing reads the day again")
        void("r-1", after=1, at=_LATER)
        free.set()
        closing.result()

        assert DayClosing.objects.get().totals["all"]["corrections"] == 2
        assert_the_day_stands()

    def test_gives_up_while_a_long_day_is_booked(
        self, aside: Callable[..., "Future[object]"], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And says so; nothing is closed."""
        monkeypatch.setattr(closing_module, "_MOMENT", 0)
        monkeypatch.setattr(closing_module, "_READINGS", 1)
        with transaction.atomic():
            void("r-0", after=1, at=_LATER)
            closing = aside(close_the_day)
            wait_until(somebody_waits, what="the closing waits for the books")
        with pytest.raises(DayStillBooked, match="new bookings of"):
            closing.result()

        assert not ClosedDay.objects.exists()

    def test_blocks_bookings(self, aside: Callable[..., "Future[object]"]) -> None:
        """Later bookings enter the next day."""
        begun = Event()

        def decide() -> object:
            begun.set()
            return void("r-0", after=1, at=_LATER)

        with transaction.atomic():
            lock_books()
            deciding = aside(decide)
            begun.wait()
            wait_until(somebody_waits, what="the void waits for the books")
            close_the_day()
        deciding.result()

        assert Settlement.objects.get(sequence=2).booked_on == NEXT
        assert DayClosing.objects.get().totals["all"]["corrections"] == 0
        assert_the_day_stands()

    @pytest.mark.slow
    def test_among_many_leaves_nothing_out(self, aside: Callable[..., "Future[object]"]) -> None:
        """Two processes void every round while a third closes."""

        def decide(first: int) -> None:
            for number in range(first, _ROUNDS, 2):
                void(f"r-{number}", after=1, at=_LATER)

        work = [aside(lambda first=first: decide(first)) for first in (0, 1)]
        wait_until(
            lambda: Settlement.objects.filter(sequence=2).count() >= 3, what="the first are voided"
        )
        work.append(aside(close_the_day))
        for thread in work:
            thread.result()

        of_day, of_next = (
            Settlement.objects.filter(sequence=2, booked_on=day).count() for day in (DAY, NEXT)
        )
        assert of_day + of_next == _ROUNDS
        assert DayClosing.objects.get().totals["all"]["corrections"] == of_day
        assert_the_day_stands()


def assert_the_day_stands() -> None:
    """Asserts that the recorded totals equal the bookings."""
    assert control_totals(DAY, booked_on(DAY)) == DayClosing.objects.get().totals

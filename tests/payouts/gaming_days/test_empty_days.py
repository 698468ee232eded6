"""Days without bookings are closed automatically."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction

from compliance.trail.actor import Actor
from compliance.trail.models import AuditRecord
from payouts.cases.remedies import Remedy
from payouts.gaming_days.close_day import close_day, close_days
from payouts.gaming_days.close_empty_days import next_day_to_close
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.pending_items import pending_items
from payouts.settlement.models import Settlement
from rounds.gaming_day import end_of_day
from rounds.models import ClosedDay
from tests.casino_in_play import Unchecked, ingest, open_table
from tests.documents import lines
from tests.payouts.cases.case_scenarios import decided
from tests.payouts.gaming_days.day_scenarios import (
    COMPLIANCE,
    arrive,
    close,
    dealt,
    reconcile_at,
    settle_at,
)
from tests.payouts.reconciliation.five_games import differences

FIRST = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECOND = FIRST + timedelta(days=100)
NIGHT = Actor("nightly closing")


@pytest.fixture(autouse=True)
def _table(fresh_casino: str) -> None:
    open_table()


def close_by(at: datetime) -> list[date]:
    """Reconciles, then runs the nightly closing."""
    reconcile_at(at)
    closed = close_days(now=lambda: at + timedelta(hours=1), actor=NIGHT)
    return [closing.day for closing in closed]


def play(at: datetime, reference: str) -> None:
    """Ingests and settles a round at its own time."""
    arrive(dealt(reference, at), at=at + timedelta(minutes=5))
    settle_at(at + timedelta(minutes=6))


class TestEmptyDays:
    @pytest.mark.slow
    def test_close_in_their_order_with_those_that_have_rounds(self) -> None:
        """Each has a record without rounds, and reconciles."""
        play(FIRST, "r-1")
        play(SECOND, "r-2")
        night = end_of_day(SECOND.date()) + timedelta(hours=3)

        closed = close_by(night)

        assert closed == [FIRST.date() + timedelta(days=n) for n in range(101)]
        assert AuditRecord.objects.filter(action="DAY_CLOSED").count() == 101
        empty = DayClosing.objects.get(day=FIRST.date() + timedelta(days=50))
        assert empty.totals["games"] == []
        assert set(empty.totals["all"].values()) == {0}
        assert differences() == []

    def test_include_held_rounds(self) -> None:
        """Held stakes are recorded every day until they are decided."""
        arrive(dealt("r-1", FIRST, held=True), at=FIRST + timedelta(minutes=5))
        settle_at(FIRST + timedelta(minutes=6))

        close_by(end_of_day(FIRST.date() + timedelta(days=3)) + timedelta(hours=3))

        held = [closing.totals["all"]["held_rounds"] for closing in DayClosing.objects.all()]
        assert held == [1, 1, 1, 1]
        assert differences() == []

    def test_with_held_rounds_are_closed_by_persons_one_by_one(self) -> None:
        """An acknowledgement is for one day only."""
        arrive(dealt("r-1", FIRST, held=True), at=FIRST + timedelta(minutes=5))
        settle_at(FIRST + timedelta(minutes=6))
        second = FIRST.date() + timedelta(days=1)
        then = end_of_day(second + timedelta(days=2)) + timedelta(hours=3)
        close(FIRST.date(), at=then)

        held = pending_items(second).all_held
        close_day(day=second, at=then, actor=COMPLIANCE, acknowledged=held)

        assert next_day_to_close() == second + timedelta(days=1)
        assert DayClosing.objects.get(day=second).actor_user_id == COMPLIANCE.user_id

    def test_stay_open_until_a_reconciliation_that_began_after_them(self) -> None:
        """A later day needs another reconciliation."""
        play(FIRST, "r-1")
        reconcile_at(end_of_day(FIRST.date() + timedelta(days=1)) + timedelta(hours=3))

        closed = close_days(now=lambda: FIRST + timedelta(days=30), actor=NIGHT)

        assert [closing.day for closing in closed] == [
            FIRST.date(),
            FIRST.date() + timedelta(days=1),
        ]

    def test_of_more_than_a_year_close_with_the_last_of_them(self) -> None:
        """Of 800 days only the first and the last are closed."""
        play(FIRST, "r-1")
        later = FIRST + timedelta(days=800)

        closed = close_by(end_of_day(later.date()) + timedelta(hours=3))

        assert closed == [FIRST.date(), later.date()]

    @pytest.mark.parametrize(("days", "refused"), [(2, True), (366, True), (367, False)])
    def test_cannot_be_skipped_in_sql(self, days: int, refused: bool) -> None:
        """Only more than a year without bookings can be skipped."""
        play(FIRST, "r-1")
        close_by(end_of_day(FIRST.date()) + timedelta(hours=3))
        later = FIRST.date() + timedelta(days=days)

        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("INSERT INTO rounds_closedday VALUES (%s)", [later])
        except DatabaseError:
            assert refused
        else:
            assert not refused

    def test_with_a_round_among_them_are_not_skipped(self) -> None:
        """A year and more later."""
        play(FIRST, "r-1")
        close_by(end_of_day(FIRST.date()) + timedelta(hours=3))
        play(SECOND, "r-2")

        with (
            pytest.raises(DatabaseError, match="needed the day after the last"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("INSERT INTO rounds_closedday VALUES ('2028-01-01')")


class TestAStoreWithImplausibleRounds:
    """Rounds of the years 1, 1969, 2999 and 9999, settled by an older release."""

    @pytest.fixture(autouse=True)
    def _stored_then(self, _table: None) -> None:
        at = FIRST + timedelta(minutes=5)
        opened = {
            "r-0001": datetime(1, 1, 1, tzinfo=UTC),
            "r-1969": datetime(1969, 7, 20, 20, tzinfo=UTC),
            "r-2999": datetime(2999, 1, 1, tzinfo=UTC),
            "r-9999": datetime(9999, 12, 31, 23, tzinfo=UTC),
        }
        rounds = [dealt(name, then) for name, then in opened.items()]
        feed = lines(*rounds, dealt("r-now", FIRST))
        padded = [line.replace(b'"1-01-01', b'"0001-01-01') for line in feed]
        ingest(padded, at=at, arrival=Unchecked(at))
        settle_at(at)
        assert Settlement.objects.count() == 5

    def test_goes_on_closing(self) -> None:
        """Days with a round, and all since the last one."""
        closed = close_by(end_of_day(FIRST.date() + timedelta(days=2)) + timedelta(hours=3))

        assert closed == [
            date(1, 1, 1),
            date(1969, 7, 20),
            *[FIRST.date() + timedelta(days=n) for n in range(3)],
        ]
        assert next_day_to_close() == FIRST.date() + timedelta(days=3)
        assert ClosedDay.objects.count() == 5
        assert differences() == []

    @pytest.mark.slow
    def test_gives_the_stakes_back_by_two_persons(self) -> None:
        """On closed and on future days; the books agree."""
        close_by(end_of_day(FIRST.date()) + timedelta(hours=3))

        _case, outcomes = decided(
            "malfunction", "r-0001", "r-1969", "r-2999", "r-9999", remedy=Remedy.VOID
        )

        assert outcomes == [("done", 2)] * 4
        assert set(Settlement.objects.filter(sequence=2).values_list("kind", flat=True)) == {"void"}
        assert differences() == []

"""Terms of disputes in the calendar of Rome, counted by hand."""

from datetime import UTC, date, datetime

import pytest

from payouts.disputes.calendar import Term, easter_sunday, is_working_day, limit_of

WORKING = True
ANY = False


def utc(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class TestEaster:
    @pytest.mark.parametrize(
        ("year", "month", "day"),
        [
            (1818, 3, 22),  # the earliest there is
            (1943, 4, 25),  # the latest
            (2000, 4, 23),
            (2019, 4, 21),
            (2024, 3, 31),
            (2025, 4, 20),
            (2026, 4, 5),
            (2027, 3, 28),
            (2038, 4, 25),
        ],
    )
    def test_is_as_in_almanacs(self, year: int, month: int, day: int) -> None:
        """The earliest and the latest possible included."""
        assert easter_sunday(year) == date(year, month, day)


class TestAWorkingDay:
    @pytest.mark.parametrize(
        ("day", "works"),
        [
            (date(2026, 11, 20), True),  # a Friday
            (date(2026, 11, 21), False),
            (date(2026, 11, 22), False),
            (date(2026, 4, 3), True),  # Good Friday is none in Italy
            (date(2026, 4, 6), False),  # Easter Monday
            (date(2026, 1, 1), False),
            (date(2026, 1, 6), False),
            (date(2025, 4, 25), False),
            (date(2026, 5, 1), False),
            (date(2026, 6, 2), False),
            (date(2026, 6, 29), False),  # of Rome alone
            (date(2025, 8, 15), False),
            (date(2027, 11, 1), False),
            (date(2026, 12, 8), False),
            (date(2026, 12, 25), False),
            (date(2025, 12, 26), False),
            (date(2026, 12, 24), True),
            (date(2024, 10, 4), True),  # before it was a holiday
            (date(2027, 10, 4), False),
        ],
    )
    def test_is_no_holiday(self, day: date, works: bool) -> None:
        """Nor a Saturday or Sunday."""
        assert is_working_day(day) is works


class TestALimit:
    @pytest.mark.parametrize(
        ("days", "are_working", "since", "due"),
        [
            # Thursday before Easter 2026: Friday and, after Easter Monday, Tuesday the 7th.
            (2, WORKING, "2026-04-02T09:00", "2026-04-07T22:00"),
            # Wednesday 23 December: Thursday, and after Christmas and the weekend Monday the 28th.
            (2, WORKING, "2026-12-23T09:00", "2026-12-28T23:00"),
            # New Year's Eve, a Thursday: Monday and Tuesday, for the 1st is a Friday.
            (2, WORKING, "2026-12-31T09:00", "2027-01-05T23:00"),
            # Late on Friday in Rome, and on Saturday there when UTC still has Friday.
            (2, WORKING, "2026-11-20T22:59", "2026-11-24T23:00"),
            (2, WORKING, "2026-11-20T23:00", "2026-11-24T23:00"),
            # The clocks go forward on 29 March 2026 and back on 25 October.
            (2, WORKING, "2026-03-27T09:00", "2026-03-31T22:00"),
            (2, WORKING, "2026-10-23T09:00", "2026-10-27T23:00"),
            # Thirty days, holidays included; the last is a Monday.
            (30, ANY, "2026-11-21T22:00", "2026-12-21T23:00"),
            # The last day is a Sunday; then the Immacolata on a Tuesday.
            (15, ANY, "2026-11-21T12:00", "2026-12-07T23:00"),
            (16, ANY, "2026-11-22T12:00", "2026-12-09T23:00"),
            # It ends on Easter Sunday 2026, so with the Tuesday.
            (30, ANY, "2026-03-06T09:00", "2026-04-07T22:00"),
            # Ninety days over both changes of the clocks' year.
            (90, ANY, "2026-09-01T09:00", "2026-11-30T23:00"),
        ],
    )
    def test_ends_with_midnight_in_rome(
        self,
        days: int,
        are_working: bool,
        since: str,
        due: str,
    ) -> None:
        """Of the last day, moved to the next working day."""
        assert limit_of(Term(days, are_working), utc(since)).due_at == utc(due)

    def test_is_reminded_of_on_its_last_working_day(self) -> None:
        """Over Easter that begins after Good Friday."""
        limit = limit_of(Term(2, are_working_days=True), utc("2026-04-02T09:00"))

        assert limit.remind_at == utc("2026-04-03T22:00")

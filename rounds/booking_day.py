"""The gaming day on which an event is booked: its own, or the current one once that is closed.

Closing a day waits for all bookings. A service that books calls ``open_books`` first, in the same
transaction: the result holds until the transaction ends.
"""

from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from django.db import connection

from rounds.gaming_day import gaming_day
from rounds.row_mapping import milliseconds_of

_A_DAY: Final = timedelta(days=1)


class OpenBooks(NamedTuple):
    """The days that are open."""

    closed_to: date | None
    """The last closed day; None where no day is closed."""
    today: date
    """The current day in Rome, for events of closed days."""

    def day_for(self, day: date) -> date:
        """The day on which an event of this day is booked."""
        if self.closed_to is None or day > self.closed_to:
            return day
        return max(self.today, self.closed_to + _A_DAY)


def open_books(*, at: datetime) -> OpenBooks:
    """The open days; none of them is closed before the transaction ends.

    Call it before locking any row: closing a day takes its locks in the same order.
    """
    return OpenBooks(_query_day("SELECT rounds_closed_to()"), gaming_day(milliseconds_of(at)))


def lock_books() -> date | None:
    """Waits for running bookings and blocks new ones until the transaction ends.

    Returns the last closed day.
    """
    return _query_day("SELECT rounds_lock_books()")


def _query_day(query: str) -> date | None:
    with connection.cursor() as cursor:
        cursor.execute(query)
        day: date | None = cursor.fetchone()[0]
    return day

"""Which day's books something enters: those of its own day, or of the open one once that is closed.

A day is closed while nobody books, so everybody who books asks ``open_books`` first, in the same
transaction: the answer holds until its end.
"""

from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from django.db import connection

from rounds.gaming_day import gaming_day
from rounds.storage import milliseconds_of

_A_DAY: Final = timedelta(days=1)


class OpenBooks(NamedTuple):
    """The days that are open."""

    closed_to: date | None
    """The last day that is closed; None where none is."""
    today: date
    """The day in Rome on which is booked what comes too late for its own."""

    def day_for(self, own: date) -> date:
        """The day on which is booked what happened on its own day."""
        if self.closed_to is None or own > self.closed_to:
            return own
        return max(self.today, self.closed_to + _A_DAY)


def open_books(*, at: datetime) -> OpenBooks:
    """The open days at this time; none of them is closed before the transaction ends.

    Ask before locking any row, so that whoever closes a day never waits in a circle.
    """
    return OpenBooks(_asked("SELECT rounds_closed_to()"), gaming_day(milliseconds_of(at)))


def lock_books() -> date | None:
    """Waits until nobody books any more; nobody begins to before the transaction ends.

    Gives the last day that is closed.
    """
    return _asked("SELECT rounds_lock_books()")


def _asked(query: str) -> date | None:
    with connection.cursor() as cursor:
        cursor.execute(query)
        day: date | None = cursor.fetchone()[0]
    return day

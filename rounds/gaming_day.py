"""The day that a round belongs to: that of its opening in Rome."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from rounds.storage import datetime_of

ROME: Final = ZoneInfo("Europe/Rome")


def gaming_day(opened_at: int) -> date:
    """The day in Rome of a time in milliseconds since 1970.

    The last hour of the year 9999 in UTC, whose day in Rome no calendar here has, keeps its own.
    """
    moment = datetime_of(opened_at)
    if moment >= _LAST_DAY:
        return moment.date()
    return moment.astimezone(ROME).date()


def end_of_day(day: date) -> datetime:
    """The midnight in Rome with which the day ends, as a moment in UTC; the last day ends never."""
    if day == date.max:
        return datetime.max.replace(tzinfo=UTC)
    return datetime.combine(day + timedelta(days=1), time(), ROME).astimezone(UTC)


_LAST_DAY: Final = datetime(9999, 12, 31, tzinfo=UTC)

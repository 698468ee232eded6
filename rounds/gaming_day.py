"""Gaming days: calendar days in Rome. A round belongs to the day of its opening."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from rounds.row_mapping import datetime_of

ROME: Final = ZoneInfo("Europe/Rome")


def gaming_day(opened_at: int) -> date:
    """The day in Rome of a time in milliseconds since 1970.

    The last hour of the year 9999 in UTC keeps its day in UTC: Python has no later one.
    """
    moment = datetime_of(opened_at)
    if moment >= _LAST_DAY:
        return moment.date()
    return moment.astimezone(ROME).date()


def gaming_day_sql(moment: str) -> str:
    """SQL: ``gaming_day`` of a time."""
    return f"least(({moment} AT TIME ZONE 'Europe/Rome')::date, DATE '9999-12-31')"


def gaming_day_of_id_sql(round_id: str) -> str:
    """SQL: the gaming day of a round, from the time in the first twelve digits of its id."""
    digits = f"left(replace({round_id}::text, '-', ''), 12)"
    return gaming_day_sql(f"to_timestamp(('x' || {digits})::bit(48)::bigint / 1000.0)")


def end_of_day(day: date) -> datetime:
    """The end of the day, midnight in Rome, in UTC; ``datetime.max`` for the last day."""
    if day == date.max:
        return datetime.max.replace(tzinfo=UTC)
    return datetime.combine(day + timedelta(days=1), time(), ROME).astimezone(UTC)


def begin_of_day(day: date) -> datetime:
    """The start of the day, midnight in Rome, in UTC; ``datetime.min`` for the first day."""
    if day == date.min:
        return datetime.min.replace(tzinfo=UTC)
    return end_of_day(day - timedelta(days=1))


_LAST_DAY: Final = datetime(9999, 12, 31, tzinfo=UTC)

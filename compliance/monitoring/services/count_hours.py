"""Counts hours of play whose rounds have changed, one transaction per hour."""

from datetime import date, datetime, timedelta
from typing import Final

from django.db import connection, transaction

from compliance.monitoring.counting.dealing import (
    HOUR,
    HourCounts,
    hour_counts,
    keys_of_hours,
    write_figures,
)
from compliance.monitoring.models import (
    CountedHour,
    DealingError,
    HourlyDealing,
    HourlyLatency,
)
from compliance.storage.advisory_locks import lock_names
from rounds.gaming_day import begin_of_day, end_of_day, gaming_day_sql

RECENT: Final = timedelta(hours=48)
"""Age of the hours that are counted all day; earlier ones are counted with their day at night."""
_EARLIER_DAYS: Final = 31
_FIELDS: Final = HourCounts._fields

# Days that were counted before there were figures by hour.
_WITHOUT_HOURS: Final = f"""
    SELECT day FROM (
        SELECT day FROM monitoring_countedday
        EXCEPT
        SELECT {gaming_day_sql("hour")} FROM monitoring_countedhour
    ) AS lacking
     ORDER BY day DESC LIMIT %s
"""


def count_recent_hours(*, at: datetime) -> int:
    """Counts the changed hours of the last two days; returns their number."""
    return _count_between(at - RECENT, at + HOUR)


def count_hours_of(day: date) -> int:
    """Counts the changed hours of a day of play; returns their number."""
    return _count_between(begin_of_day(day), end_of_day(day))


def count_earlier_hours() -> int:
    """Counts the latest days that have figures by day but none by hour, a month at a time."""
    with connection.cursor() as cursor:
        cursor.execute(_WITHOUT_HOURS, [_EARLIER_DAYS])
        days = [day for (day,) in cursor.fetchall()]
    return sum(map(count_hours_of, days))


def count_hour(counts: HourCounts) -> bool:
    """Replaces the figures of an hour; returns False if another worker did meanwhile."""
    hour = counts.hour
    with transaction.atomic():
        lock_names([f"monitoring:{hour.isoformat()}"])
        # Counted before reading: a settlement in between causes another recount.
        [counts] = hour_counts(keys_of_hours(hour, hour + HOUR))
        if _is_counted(counts):
            return False
        for figures in (HourlyDealing, HourlyLatency, DealingError, CountedHour):
            figures._default_manager.filter(hour=hour).delete()
        write_figures(hour)
        CountedHour.objects.create(**counts._asdict())
    return True


def _count_between(first: datetime, end: datetime) -> int:
    start = first.replace(minute=0, second=0, microsecond=0)
    counted = set(CountedHour.objects.filter(hour__gte=start, hour__lt=end).values_list(*_FIELDS))
    changed = [
        counts for counts in hour_counts(keys_of_hours(start, end)) if tuple(counts) not in counted
    ]
    return sum(map(count_hour, changed))


def _is_counted(counts: HourCounts) -> bool:
    return CountedHour.objects.filter(**counts._asdict()).exists()

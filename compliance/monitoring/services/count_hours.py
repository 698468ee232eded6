"""Counts hours of play whose rounds have changed, one transaction per hour."""

from datetime import date, datetime, timedelta
from typing import Final

from django.db import transaction

from compliance.monitoring.counting.dealing import (
    HOUR,
    HourCounts,
    days_without_hours,
    hour_counts,
    hours_between,
    write_figures,
)
from compliance.monitoring.models import (
    CountedHour,
    DealingError,
    HourlyDealing,
    HourlyLatency,
)
from compliance.storage.advisory_locks import try_lock_name
from rounds.gaming_day import begin_of_day, end_of_day, gaming_day
from rounds.row_mapping import milliseconds_of

_RECENT: Final = timedelta(days=2)
"""Whole days before today that are counted all day; earlier ones are counted at night."""
_EARLIER_DAYS: Final = 31
_FIELDS: Final = HourCounts._fields


def count_recent_hours(*, at: datetime) -> int:
    """Counts the changed hours of today and the two days before; returns their number."""
    first = gaming_day(milliseconds_of(at)) - _RECENT
    return _count_between(begin_of_day(first), at + HOUR)


def count_hours_of(day: date) -> int:
    """Counts the changed hours of a day of play; returns their number."""
    return _count_between(begin_of_day(day), end_of_day(day))


def count_earlier_hours() -> int:
    """Counts the latest days that have figures by day but none by hour, a month at a time."""
    return sum(map(count_hours_of, days_without_hours(_EARLIER_DAYS)))


def count_hour(counts: HourCounts) -> bool:
    """Replaces the figures of an hour; returns False if another worker did, or is at it.

    Does not wait for that one: what it leaves out is counted by the next task, and workers that
    wait here settle nothing.
    """
    hour = counts.hour
    with transaction.atomic():
        if not try_lock_name(f"monitoring:{hour.isoformat()}"):
            return False
        # Counted before reading: a settlement in between causes another recount.
        [counts] = hour_counts([hour])
        if _is_counted(counts):
            return False
        for figures in (HourlyDealing, HourlyLatency, DealingError, CountedHour):
            figures._default_manager.filter(hour=hour).delete()
        write_figures(hour)
        CountedHour.objects.create(**counts._asdict())
    return True


def _count_between(first: datetime, end: datetime) -> int:
    hours = hours_between(first, end)
    if not hours:
        return 0
    among = CountedHour.objects.filter(hour__gte=hours[0], hour__lte=hours[-1])
    counted = set(among.values_list(*_FIELDS))
    changed = [counts for counts in hour_counts(hours) if tuple(counts) not in counted]
    return sum(map(count_hour, changed))


def _is_counted(counts: HourCounts) -> bool:
    return CountedHour.objects.filter(**counts._asdict()).exists()

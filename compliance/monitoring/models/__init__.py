"""What the monitor keeps: figures of each day, and what every look at them said."""

from compliance.monitoring.models.daily import (
    CountedBooks,
    CountedDay,
    DailyCards,
    DailyEvidence,
    DailyOccurrence,
    DailyOutcome,
    DailyReturn,
    DailyVoids,
    What,
)
from compliance.monitoring.models.watch import Look, Watch, WatchAlarm, WatchLook

__all__ = [
    "CountedBooks",
    "CountedDay",
    "DailyCards",
    "DailyEvidence",
    "DailyOccurrence",
    "DailyOutcome",
    "DailyReturn",
    "DailyVoids",
    "Look",
    "Watch",
    "WatchAlarm",
    "WatchLook",
    "What",
]

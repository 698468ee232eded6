"""Models of the monitor: daily figures, and the results of looks."""

from compliance.monitoring.models.daily_figures import (
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

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
from compliance.monitoring.models.dealing import (
    CountedHour,
    DealingError,
    HourlyDealing,
    HourlyLatency,
)
from compliance.monitoring.models.watch import Look, Watch, WatchAlarm, WatchLook

__all__ = [
    "CountedBooks",
    "CountedDay",
    "CountedHour",
    "DailyCards",
    "DailyEvidence",
    "DailyOccurrence",
    "DailyOutcome",
    "DailyReturn",
    "DailyVoids",
    "DealingError",
    "HourlyDealing",
    "HourlyLatency",
    "Look",
    "Watch",
    "WatchAlarm",
    "WatchLook",
    "What",
]

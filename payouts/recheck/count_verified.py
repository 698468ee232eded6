"""How much was verified again, and within what time a change is found by that."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import Max, Sum

from payouts.recheck.models import RecheckHour
from payouts.recheck.verify_share import Findings
from payouts.settlement.models import DailyRounds

COUNTED: Final = ("recent_rounds", "random_rounds", "records", "decisions")
OVER: Final = timedelta(hours=24)
"""The time over which rates are taken: of it the time that was run."""
LONGEST_GAP: Final = timedelta(minutes=1)
"""From one turn to the next; after a longer one no worker ran in between. Turns come every ten
seconds, later if the workers are busy."""

_COUNT: Final = """
    INSERT INTO payouts_recheckhour AS counted
           (hour, recent_rounds, random_rounds, records, decisions, seconds, run_seconds,
            longest_pass_seconds, last_at)
    SELECT %(hour)s, %(recent_rounds)s, %(random_rounds)s, %(records)s, %(decisions)s, %(seconds)s,
           CASE WHEN %(at)s - max(last_at) <= %(longest_gap)s
                THEN greatest(extract(epoch FROM %(at)s - max(last_at)), 0)
                ELSE %(seconds)s END,
           %(pass_seconds)s, %(at)s
      FROM payouts_recheckhour WHERE hour >= %(before)s
    ON CONFLICT (hour) DO UPDATE
       SET recent_rounds = counted.recent_rounds + excluded.recent_rounds,
           random_rounds = counted.random_rounds + excluded.random_rounds,
           records = counted.records + excluded.records,
           decisions = counted.decisions + excluded.decisions,
           seconds = counted.seconds + excluded.seconds,
           run_seconds = counted.run_seconds + excluded.run_seconds,
           longest_pass_seconds = greatest(counted.longest_pass_seconds,
                                           excluded.longest_pass_seconds),
           last_at = greatest(counted.last_at, excluded.last_at)
"""


@dataclass(frozen=True)
class RecheckFigures:
    """What the share of the last day means for a change that somebody plants."""

    last_at: datetime | None
    """When workers verified last; None if never."""
    recent_seconds: float | None
    """Within this time a changed round of the recent hours is found; None if no pass has ended."""
    stored_rounds: int
    """Settled rounds, all that are stored."""
    random_rounds: int
    """Rounds drawn at random within the last day."""
    mean_seconds: float | None
    """The mean time until a changed round is drawn, of any age, while workers run; None if none was
    drawn."""
    worker_percent: float
    """The share of one process of a worker, while workers run."""

    def age_seconds(self, at: datetime) -> float:
        """The time since workers verified last; since 1970 if never."""
        last = self.last_at or datetime(1970, 1, 1, tzinfo=UTC)
        return max((at - last).total_seconds(), 0)


def count_verified(findings: Findings, *, at: datetime, seconds: float) -> None:
    """Adds what was verified to the figures of the hour."""
    hour = at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    time: dict[str, Any] = {
        "before": hour - timedelta(hours=1),
        "seconds": seconds,
        "pass_seconds": findings.pass_seconds,
        "longest_gap": LONGEST_GAP,
    }
    counts = {name: findings.verified[name] for name in COUNTED}
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"hour": hour, "at": at, **time, **counts})


def recheck_figures(*, at: datetime) -> RecheckFigures:
    """The figures of the last day, of its hours since workers count the time that they run."""
    of_day = RecheckHour.objects.filter(hour__gt=at - OVER, run_seconds__gt=0).aggregate(
        random=Sum("random_rounds", default=0),
        seconds=Sum("seconds", default=0.0),
        run=Sum("run_seconds", default=0.0),
        longest=Max("longest_pass_seconds"),
    )
    stored = DailyRounds.objects.aggregate(number=Sum("rounds", default=0))["number"]
    mean = stored * of_day["run"] / of_day["random"] if of_day["random"] else None
    return RecheckFigures(
        last_at=RecheckHour.objects.aggregate(last=Max("last_at"))["last"],
        recent_seconds=2 * of_day["longest"] if of_day["longest"] else None,
        stored_rounds=stored,
        random_rounds=of_day["random"],
        mean_seconds=mean,
        worker_percent=100 * of_day["seconds"] / of_day["run"] if of_day["run"] else 0.0,
    )

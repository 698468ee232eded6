"""How much was verified again, and within what time a change is found by that."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import Max, Min, Sum

from payouts.recheck.models import RecheckHour
from payouts.recheck.verify_share import Findings
from payouts.settlement.models import DailyRounds

COUNTED: Final = ("recent_rounds", "random_rounds", "records", "decisions")
OVER: Final = timedelta(hours=24)
"""The time over which rates are taken."""

_COUNT: Final = """
    INSERT INTO payouts_recheckhour AS counted
           (hour, recent_rounds, random_rounds, records, decisions, seconds,
            longest_pass_seconds, last_at)
    VALUES (%(hour)s, %(recent_rounds)s, %(random_rounds)s, %(records)s, %(decisions)s, %(seconds)s,
            %(pass_seconds)s, %(at)s)
    ON CONFLICT (hour) DO UPDATE
       SET recent_rounds = counted.recent_rounds + excluded.recent_rounds,
           random_rounds = counted.random_rounds + excluded.random_rounds,
           records = counted.records + excluded.records,
           decisions = counted.decisions + excluded.decisions,
           seconds = counted.seconds + excluded.seconds,
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
    """The mean time until a changed round is drawn, of any age; None if none was drawn."""
    worker_percent: float
    """The share of one process of a worker."""

    def age_seconds(self, at: datetime) -> float:
        """The time since workers verified last; since 1970 if never."""
        last = self.last_at or datetime(1970, 1, 1, tzinfo=UTC)
        return max((at - last).total_seconds(), 0)


def count_verified(findings: Findings, *, at: datetime, seconds: float) -> None:
    """Adds what was verified to the figures of the hour."""
    hour = at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    time = {"seconds": seconds, "pass_seconds": findings.pass_seconds}
    counts = {name: findings.verified[name] for name in COUNTED}
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"hour": hour, "at": at, **time, **counts})


def recheck_figures(*, at: datetime) -> RecheckFigures:
    """The figures of the last day."""
    of_day = RecheckHour.objects.filter(hour__gt=at - OVER).aggregate(
        first=Min("hour"),
        random=Sum("random_rounds", default=0),
        seconds=Sum("seconds", default=0.0),
        longest=Max("longest_pass_seconds"),
    )
    stored = DailyRounds.objects.aggregate(number=Sum("rounds", default=0))["number"]
    elapsed = (at - of_day["first"]).total_seconds() if of_day["first"] else 0.0
    mean = stored * elapsed / of_day["random"] if of_day["random"] else None
    return RecheckFigures(
        last_at=RecheckHour.objects.aggregate(last=Max("last_at"))["last"],
        recent_seconds=2 * of_day["longest"] if of_day["longest"] else None,
        stored_rounds=stored,
        random_rounds=of_day["random"],
        mean_seconds=mean,
        worker_percent=100 * of_day["seconds"] / elapsed if elapsed else 0.0,
    )

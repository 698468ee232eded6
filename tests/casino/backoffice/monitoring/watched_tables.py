"""Evaluated tables, for tests of the monitor."""

from datetime import date, timedelta

from compliance.monitoring.models import Watch
from compliance.monitoring.services.count_days import count_days
from compliance.monitoring.services.watch_tables import watch_tables
from compliance.trail.actor import WORKER
from tests.payouts.gaming_days.day_scenarios import DAY, NOON, arrive, dealt, settle_at

MONITOR = "/admin/monitor/"
MINUTE = timedelta(minutes=1)


def played(rounds: int, *, days_ago: int = 0) -> None:
    """Settles this many rounds, one per minute."""
    begun = NOON - timedelta(days=days_ago)
    arrive(*(dealt(f"r-{days_ago}-{n}", begun + n * MINUTE) for n in range(rounds)))
    settle_at()


def looked(last_day: date = DAY) -> None:
    """Counts and evaluates the rounds."""
    count_days()
    watch_tables(last_day=last_day, at=NOON, actor=WORKER)


def address_of(kind: str, what: str = "return") -> str:
    """The page of the table's watch."""
    watch = Watch.objects.get(what=what, kind=kind, table__code="bac-1")
    return f"{MONITOR}watches/{watch.pk}/"

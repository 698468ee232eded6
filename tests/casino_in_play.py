"""A casino for tests: its tables, and the two steps that bring a feed to money."""

from collections.abc import Iterable
from datetime import UTC, datetime

from django.utils import timezone

from compliance.trail.actor import WORKER, Actor
from payouts.services.settle import Settled
from payouts.services.sweep import sweep_waiting_rounds
from rounds.documents import read_documents
from rounds.models import StakeLimit, StakeLimitSet, Table
from rounds.services.ingest import Tally, ingest_documents

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=UTC)
STUDIO = Actor("studio")


def open_table(code: str = "bac-1", rules: str = "baccarat/1") -> Table:
    """A registered table without limits."""
    return Table.objects.create(code=code, name=code, rules=rules)


def limit_stakes(table: Table, **limits: tuple[int, int]) -> None:
    """Puts limits in cents in force at a table."""
    limit_set = StakeLimitSet.objects.create(table=table, decided_at=NOW, decided_by="test")
    for kind, (least, most) in limits.items():
        StakeLimit.objects.create(limit_set=limit_set, kind=kind, min_cents=least, max_cents=most)


def ingest(lines: Iterable[bytes], *, source: str = "feed.ndjson") -> Tally:
    """Takes a whole feed, as `manage.py ingest` does."""
    tally = Tally()
    for batch in read_documents(lines):
        tally = tally.plus(ingest_documents(batch, source=source, at=NOW, actor=STUDIO))
    return tally


def settle(*, at: datetime = NOW) -> Settled:
    """Settles whatever waits, as a worker does."""
    return sweep_waiting_rounds(now=lambda: at, actor=WORKER, batches=1000)


def by_now() -> datetime:
    """A time that is later than NOW and than whatever a page has just done at the real time."""
    return max(NOW, timezone.now())

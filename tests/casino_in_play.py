"""A casino for tests: its tables, and the two steps that bring a feed to money."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from casino.devserver.demo import make_tables
from compliance.trail.actor import WORKER, Actor
from payouts.settlement.settle import Settled
from payouts.settlement.sweep import sweep_waiting_rounds
from rounds.arrival import Arrival
from rounds.documents import Document, read_documents
from rounds.models import EarlierRuleSet, EarlierTable, QueuedRound, Table
from rounds.row_mapping import datetime_of
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.facts import Round as Dealt
from rounds.services import limit_stakes as service
from rounds.services.ingest import Tally, ingest_documents
from rounds.services.limits_in_force import set_in_force
from tests.signers import signing

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=UTC)
STUDIO = Actor("studio")
FLOOR = signing("test", 90, roles=["administrator"])
"""Who sets up tables, with a key to sign their limits."""


def open_table(code: str = "bac-1", rules: str = "baccarat/1") -> Table:
    """Registers a table without limits, from before signatures: it takes unsigned rounds.

    So are all rule sets: they settle although nobody signed them.
    """
    list_rule_sets()
    table = Table.objects.create(code=code, name=code, rules=rules)
    EarlierTable.objects.create(table=table)
    return table


def open_tables(*, at: datetime = NOW, each: int = 1) -> None:
    """Registers the demo's tables of every game, from before signatures like ``open_table``."""
    list_rule_sets()
    make_tables(at=at, actor=FLOOR, each=each)
    opened = Table.objects.exclude(pk__in=EarlierTable.objects.values("pk"))
    EarlierTable.objects.bulk_create([EarlierTable(table=table) for table in opened])


def list_rule_sets() -> None:
    """Lists the rule sets of the code as ones from before signatures."""
    rows = [EarlierRuleSet(digest=rules.digest) for rules in RULE_SETS.values()]
    EarlierRuleSet.objects.bulk_create(rows, ignore_conflicts=True)


def limit_stakes(table: Table, *, first: datetime = NOW, **limits: tuple[int, int]) -> None:
    """Sets limits in cents for a table, each time a second later."""
    before = set_in_force(table.pk)
    service.limit_stakes(
        table_id=table.pk,
        limits=limits,
        seen=service.NO_SET if before is None else before.pk,
        at=first if before is None else before.decided_at + timedelta(seconds=1),
        actor=FLOOR,
    )


class Unchecked(Arrival):
    """Accepts documents without checks of their times, as older releases did."""

    def check(self, parsed: object) -> None:
        """Accepts every document."""

    def anomalies_of(self, dealt: object, *, requires_signature: bool) -> list[str]:
        """Holds no round."""
        return []


def ingest(
    lines: Iterable[bytes],
    *,
    source: str = "feed.ndjson",
    at: datetime = NOW,
    arrival: Arrival | None = None,
) -> Tally:
    """Ingests a feed, by default after the end of its rounds."""
    tally = Tally()
    for batch in read_documents(lines):
        then = at if arrival is not None else max(at, _over(batch))
        tally = tally.plus(
            ingest_documents(batch, source=source, at=then, actor=STUDIO, arrival=arrival)
        )
    return tally


def _over(batch: list[Document]) -> datetime:
    """When the last round of the documents was over."""
    rounds = [document.parsed for document in batch if isinstance(document.parsed, Dealt)]
    return datetime_of(max([dealt.ended_at for dealt in rounds], default=0))


def settle(*, at: datetime | None = None) -> Settled:
    """Settles what waits, by default after the last arrival."""
    then = at or last_arrival(NOW)
    return sweep_waiting_rounds(now=lambda: then, actor=WORKER, batches=1000)


def last_arrival(since: datetime) -> datetime:
    """The latest arrival of waiting rounds, at least the given time."""
    arrived = QueuedRound.objects.aggregate(last=Max("round__received_at"))["last"]
    return max(since, arrived or since)


def by_now() -> datetime:
    """A time after NOW and after the current time."""
    return max(NOW, timezone.now())

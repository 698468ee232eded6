"""Metrics: stored facts as the reader sees them, and what processes measured."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest
from django.db import connection
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from pytest_django.fixtures import DjangoAssertNumQueries

from casino.integrations.add_webhook import NewWebhook, add_webhook
from casino.integrations.models import WebhookState
from casino.operations.metrics.collector import FactsCollector
from compliance.siem.models import SiemCursor
from compliance.storage.database_roles.role import DatabaseRole
from payouts.cases.halt_cases import halt_cases
from payouts.recheck.count_verified import count_verified
from payouts.recheck.verify_share import Findings
from payouts.reconciliation.models import ReconcilePart, ReconcileRun
from rounds.models import QueuedRound
from tests.attacks.integrity.stops import stopped as stop
from tests.casino.api.api_client import ADMINISTRATOR, issued
from tests.casino.operations.metric_samples import Values, facts_now, samples
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.trail.logs import append, write
from tests.databases import connected_as, connected_to
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import credit_proposed

NOWHERE: Final = "postgres://secret-role:secret-word@127.0.0.1:1/nowhere"
STORED: Final = {
    "sabot_audit_lost_records",
    "sabot_audit_oldest_uncosigned_age_seconds",
    "sabot_audit_oldest_unsigned_age_seconds",
    "sabot_bundles_unsent",
    "sabot_cases_halted",
    "sabot_database_up",
    "sabot_days_to_close",
    "sabot_exceptions",
    "sabot_expiry_days",
    "sabot_facts_seconds",
    "sabot_integrity_stops",
    "sabot_queue_oldest_age_seconds",
    "sabot_queue_rounds",
    "sabot_recheck_age_seconds",
    "sabot_recheck_mean_seconds",
    "sabot_recheck_random_rounds",
    "sabot_recheck_recent_seconds",
    "sabot_reconciliation_age_seconds",
    "sabot_reconciliation_differences",
    "sabot_rounds_held",
    "sabot_rounds_received",
    "sabot_rounds_settled",
    "sabot_signing_key_people",
    "sabot_webhook_backlog_records",
    "sabot_webhooks_stopped",
}
OF_REPLICA: Final = {"sabot_replica_behind_bytes", "sabot_replica_up"}
"""Only where there is a replica."""
OF_SIEM: Final = {"sabot_siem_backlog_records", "sabot_siem_oldest_age_seconds"}
"""Only where a SIEM gets the audit log."""
OF_WITNESSES: Final = {"sabot_audit_witness_behind_seconds"}
"""Only where witnesses cosign the log (``test_witness_checks``)."""
OF_THE_HOST: Final = {"sabot_release_differences"}
"""Of each host that runs a release (``test_verify_release``)."""


@pytest.fixture
def read(fresh_casino: str) -> Callable[[], Values]:
    """Reads the facts with the role that may only read."""

    def facts() -> Values:
        with connected_as(DatabaseRole.READER, fresh_casino):
            return facts_now()

    return facts


class TestRounds:
    def test_are_counted_by_what_became_of_them(self, read: Callable[[], Values]) -> None:
        """Three settled, one held, two that wait: six were received."""
        open_table()
        played = [baccarat_round(f"r-{number}") for number in range(1, 4)]
        ingest(lines(*played, held_baccarat_round("r-4")))
        settle()
        ingest(lines(baccarat_round("r-5"), baccarat_round("r-6")))

        found = read()

        assert found["sabot_rounds_received_total"] == 6
        assert found["sabot_rounds_settled_total"] == 3
        assert found["sabot_rounds_held"] == 1
        assert found["sabot_queue_rounds"] == 2
        oldest = QueuedRound.objects.select_related("round").earliest("arrival").round.received_at
        waits = (timezone.now() - oldest).total_seconds()
        assert waits - 60 < found["sabot_queue_oldest_age_seconds"] <= waits

    def test_of_an_empty_casino_are_none(self, read: Callable[[], Values]) -> None:
        """And nothing waits, differs or is stopped."""
        found = read()

        assert found["sabot_database_up"] == 1
        zero = ("rounds_received_total", "queue_oldest_age_seconds", "days_to_close")
        assert [found[f"sabot_{name}"] for name in zero] == [0, 0, 0]
        assert found["sabot_cases_halted"] == found["sabot_webhooks_stopped"] == 0
        assert "sabot_reconciliation_differences" not in found


class TestWhatWaitsForPeople:
    def test_is_counted(self, read: Callable[[], Values]) -> None:
        """A quarantined document, a webhook, a halt, and days that nobody closed."""
        open_table()
        ingest(lines(baccarat_round("r-1"), "{broken", "{again"))
        settle()
        new = NewWebhook(url="https://studio.example/hook")
        add_webhook(key=issued(owner="Live Studio").key, new=new, at=NOW, actor=ADMINISTRATOR)
        running = read()
        WebhookState.objects.update(stopped_at=NOW)
        halt_cases(credit_proposed("p-1", 100), error="no signature", at=NOW)
        stop()

        stopped = read()

        assert running["sabot_exceptions kind=document"] == 2
        assert running["sabot_exceptions kind=task"] == 0
        assert running["sabot_audit_oldest_unsigned_age_seconds"] > 0
        assert running["sabot_days_to_close"] >= 1
        assert [found["sabot_webhooks_stopped"] for found in (running, stopped)] == [0, 1]
        assert [found["sabot_integrity_stops kind=books"] for found in (running, stopped)] == [0, 1]
        assert [found["sabot_cases_halted"] for found in (running, stopped)] == [0, 1]

    def test_is_the_latest_reconciliation(self, read: Callable[[], Values]) -> None:
        """Of everything: one of a single day does not count."""
        ended = timezone.now() - timedelta(hours=5)
        run = ReconcileRun.objects.create(started_at=ended, actor="x", finished_at=ended)
        for differences in (2, 3):
            ReconcilePart.objects.create(run=run, kind="rounds", differences=differences)
        ReconcileRun.objects.create(
            started_at=ended, actor="x", first_day=NOW.date(), finished_at=timezone.now()
        )

        found = read()

        assert found["sabot_reconciliation_differences"] == 5
        assert 18_000 <= found["sabot_reconciliation_age_seconds"] < 18_600


class TestTheSiem:
    def test_is_behind_by_what_it_has_not_confirmed(self, read: Callable[[], Values]) -> None:
        """Since the oldest of these records was signed; a receiver that has all has none."""
        signed = timezone.now() - timedelta(minutes=20)
        write(3)
        append(at=signed)
        write(2)
        size = append(at=signed + timedelta(minutes=15)).size
        SiemCursor.objects.create(receiver="syslog", seen=size - 2)
        SiemCursor.objects.create(receiver="http", seen=size)

        found = read()

        assert found["sabot_siem_backlog_records receiver=syslog"] == 2
        assert 300 <= found["sabot_siem_oldest_age_seconds receiver=syslog"] < 400
        assert found["sabot_siem_backlog_records receiver=http"] == 0
        assert found["sabot_siem_oldest_age_seconds receiver=http"] == 0
        assert {name.split(" ")[0] for name in found} >= OF_SIEM


def verified(*, rounds: int, pass_seconds: float) -> Findings:
    """Of a share that found nothing."""
    return Findings(Counter(random_rounds=rounds), pass_seconds=pass_seconds)


class TestTheCollector:
    def test_names_what_is_documented(self, read: Callable[[], Values]) -> None:
        """Where there is a reconciliation and a key that expires."""
        now = timezone.now()
        ReconcileRun.objects.create(started_at=now, actor="x", finished_at=now)
        issued(expires_at=now + timedelta(days=20))
        ingest(lines(baccarat_round("r-1", table=open_table().code)))
        settle()
        count_verified(verified(rounds=1, pass_seconds=2.0), at=now, seconds=0.1)

        found = read()

        assert {name.split(" ")[0].removesuffix("_total") for name in found} == STORED
        assert found["sabot_recheck_recent_seconds"] == 4
        assert found["sabot_recheck_random_rounds"] == 1
        assert found["sabot_recheck_age_seconds"] < 600
        assert 19.9 < found["sabot_expiry_days kind=api_key"] < 20

    def test_says_that_the_database_is_away(self, fresh_casino: str) -> None:
        """And nothing else, so that no rule takes a missing figure for a zero."""
        with connected_to(NOWHERE):
            found = facts_now()

        assert found.pop("sabot_facts_seconds") >= 0
        assert found == {"sabot_database_up": 0}

    def test_reads_once_for_many_scrapes(self, fresh_casino: str) -> None:
        """Within five seconds: Prometheus asks less often."""
        collector = FactsCollector(keep_seconds=60)
        registry = CollectorRegistry()
        registry.register(collector)
        generate_latest(registry)

        with connected_to(NOWHERE):
            found = samples(generate_latest(registry).decode())

        assert found["sabot_database_up"] == 1

    def test_asks_as_often_however_much_there_is(
        self, fresh_casino: str, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        """And no query reads a table of rounds, bets or settlements from its beginning."""
        open_table()
        ingest(lines(*(baccarat_round(f"r-{number}") for number in range(30))))
        settle()

        with django_assert_max_num_queries(40) as recorded:
            facts_now()

        big = ("rounds_round", "rounds_bet", "payouts_settlement", "payouts_transfer")
        for query in (query["sql"] for query in recorded.captured_queries):
            if query.startswith("SELECT"):
                assert not any(f"Seq Scan on {table}" in plan_of(query) for table in big), query


def plan_of(query: str) -> str:
    """How PostgreSQL finds the rows if it can avoid reading a whole table."""
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        cursor.execute(f"EXPLAIN {query}")
        return "\n".join(line for (line,) in cursor.fetchall())

"""Reports read from the replica, which may lag behind and is read-only."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, InternalError, connections
from django.test.utils import CaptureQueriesContext
from pytest_django.plugin import DjangoDbBlocker

from casino.embedded import Running, start_postgres
from casino.embedded.server_paths import CLONE
from compliance.storage.replica import REPLICA, committed_position, report_database
from rounds.models import Round, Table
from tests.casino.operations.metric_samples import facts_now
from tests.casino.operations.test_metrics import NOWHERE, OF_REPLICA
from tests.casino_in_play import ingest, open_table, settle
from tests.databases import connected_to, replica_at
from tests.documents import baccarat_round, lines
from tests.processes import wait_until
from tests.replica import copy_database, start_replica

pytestmark = pytest.mark.slow
"""A second PostgreSQL is filled and copied for them."""


class Pair(NamedTuple):
    """A PostgreSQL and its streaming replica."""

    primary: Running
    follower: Running


@pytest.fixture(scope="module")
def pair(casino_template: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Pair]:
    """Both running, with every migration and one table."""
    with tempfile.TemporaryDirectory(prefix="sabot-test-") as path:
        folder = Path(path)
        folder.chmod(0o755)
        primary = start_postgres(folder / "primary", durable=False)
        copy_database(casino_template, primary, folder / "casino.sql")
        follower = start_replica(primary, folder / "replica")
        with django_db_blocker.unblock(), connected_to(primary.url):
            open_table()
        yield Pair(primary, follower)
        follower.stop()
        primary.stop()


@pytest.fixture
def replica(pair: Pair, django_db_blocker: DjangoDbBlocker) -> Iterator[Running]:
    """The replica, with Django connected to both."""
    with (
        django_db_blocker.unblock(),
        connected_to(pair.primary.url),
        replica_at(pair.follower.url),
    ):
        yield pair.follower


def take(reference: str) -> None:
    """Stores a round in the database."""
    ingest(lines(baccarat_round(reference)))


def rounds_in(database: str) -> set[str]:
    """The number of rounds that a report would see."""
    return set(Round.objects.using(database).values_list("reference", flat=True))


class TestAReport:
    @pytest.mark.slow
    def test_reads_from_the_replica_what_it_has_replayed(self, replica: Running) -> None:
        """Everything committed before."""
        take("r-1")

        database = report_database(holding=committed_position())

        assert database == REPLICA
        assert "r-1" in rounds_in(database)

    @pytest.mark.slow
    def test_of_daily_totals_reads_from_the_replica(self, replica: Running) -> None:
        """A round of 22.00 staked and 25.00 paid."""
        take("r-0")
        settle()
        written = StringIO()

        with CaptureQueriesContext(connections[REPLICA]) as queries:
            call_command("daily_totals", "2026-11-21", stdout=written)

        assert "payouts_dailyrounds" in queries.captured_queries[-1]["sql"]
        assert "2026-11-21,bac-1,baccarat/1," in written.getvalue()

    def test_may_be_behind_when_it_does_not_ask_for_more(self, replica: Running) -> None:
        """Replay is paused."""
        with psycopg.connect(replica.url, autocommit=True) as following:
            following.execute("SELECT pg_wal_replay_pause()")
            take("r-2")

            database = report_database()

            assert database == REPLICA
            assert "r-2" not in rounds_in(database)
            following.execute("SELECT pg_wal_replay_resume()")

    def test_that_must_be_complete_reads_the_database_when_the_replica_stays_behind(
        self, replica: Running
    ) -> None:
        """After a timeout."""
        with psycopg.connect(replica.url, autocommit=True) as following:
            following.execute("SELECT pg_wal_replay_pause()")
            take("r-3")

            database = report_database(holding=committed_position())

            assert database == DEFAULT_DB_ALIAS
            assert "r-3" in rounds_in(database)
            following.execute("SELECT pg_wal_replay_resume()")

    @pytest.mark.django_db
    def test_reads_the_database_where_there_is_no_replica(self) -> None:
        """DATABASE_REPLICA_URL is not set."""
        assert report_database() == DEFAULT_DB_ALIAS
        assert report_database(holding=committed_position()) == DEFAULT_DB_ALIAS


class TestTheReplica:
    def test_refuses_to_be_written(self, replica: Running) -> None:
        """PostgreSQL refuses it."""
        with pytest.raises(InternalError, match="read-only transaction"):
            Table.objects.using(REPLICA).create(code="t-1", name="t-1", rules="baccarat/1")

    def test_keeps_a_row_that_was_read_from_it_from_being_saved(self, replica: Running) -> None:
        """Saving uses the connection of the row."""
        take("r-4")
        table = Table.objects.using(report_database(holding=committed_position())).get()

        with pytest.raises(InternalError, match="read-only transaction"):
            table.save()

    def test_is_not_migrated(self, replica: Running) -> None:
        """Its tables are replicated."""
        report_database(holding=committed_position())

        call_command("migrate", database=REPLICA, verbosity=0)


class TestItsMetrics:
    def test_say_how_far_it_is_behind(self, replica: Running) -> None:
        """In bytes that it has not replayed; none once it has."""
        with psycopg.connect(replica.url, autocommit=True) as following:
            following.execute("SELECT pg_wal_replay_pause()")
            take("r-4")
            behind = facts_now()
            following.execute("SELECT pg_wal_replay_resume()")

        assert behind["sabot_replica_up"] == 1
        assert behind["sabot_replica_behind_bytes"] > 0
        wait_until(lambda: facts_now()["sabot_replica_behind_bytes"] == 0, what="it catches up")

    def test_say_that_it_is_away(self, fresh_casino: str) -> None:
        """Or that it is no replica any more; the facts are there."""
        with replica_at(NOWHERE):
            away = facts_now()
        with replica_at(fresh_casino):
            promoted = facts_now()

        assert away.keys() & OF_REPLICA == promoted.keys() & OF_REPLICA == {"sabot_replica_up"}
        assert (away["sabot_replica_up"], promoted["sabot_replica_up"]) == (0, 0)
        assert away["sabot_database_up"] == 1


class TestAReplicaUrlThatNamesTheDatabaseItself:
    """A configuration error."""

    @pytest.fixture
    def mistaken(self, fresh_casino: str) -> Iterator[None]:
        """The same database under both names."""
        with replica_at(fresh_casino):
            yield

    def test_is_refused_to_write_all_the_same(self, mistaken: None) -> None:
        """The connection is read-only."""
        with pytest.raises(InternalError, match="read-only transaction"):
            Table.objects.using(REPLICA).create(code="t-1", name="t-1", rules="baccarat/1")

    def test_is_never_behind(self, mistaken: None) -> None:
        """It is the database itself."""
        open_table()

        assert report_database(holding=committed_position()) == REPLICA


class TestTheSettings:
    @pytest.mark.slow
    def test_have_a_replica_where_the_environment_names_one(self, fresh_casino: str) -> None:
        """Its options are kept, and it becomes read-only."""
        ask = (
            "import django; django.setup(); from django.db import connections;"
            "cursor = connections['replica'].cursor();"
            "[print(cursor.execute(f'SHOW {name}').fetchone()[0])"
            " for name in ('default_transaction_read_only', 'statement_timeout')]"
        )
        url = f"{fresh_casino}&options=-c%20statement_timeout%3D7s"
        environment = {"DATABASE_REPLICA_URL": url, "DJANGO_SETTINGS_MODULE": "casino.settings"}

        result = subprocess.run(
            [sys.executable, "-c", ask],
            cwd=CLONE,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )

        assert result.stdout.split() == ["on", "7s"]

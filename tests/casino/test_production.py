"""A production set-up: PostgreSQL over TCP with a password, several worker hosts."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from casino.embedded.server_paths import CLONE
from compliance.storage.database_roles.role import ROLES, DatabaseRole, role_name
from tests.books import assert_books_are_right
from tests.casino.conftest import cut_feed
from tests.casino.workers.settled_feeds import lines_of, wait_for_settlement
from tests.databases import connected_to
from tests.postgres import PostgresOverTcp
from tests.processes import Worker, ingest, manage


@pytest.fixture
def postgres(folder: Path) -> Iterator[PostgresOverTcp]:
    """A running server over TCP."""
    server = PostgresOverTcp(folder)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def casino(
    postgres: PostgresOverTcp, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A migrated database with roles on it, for Django and DATABASE_URL."""
    monkeypatch.setenv("DATABASE_URL", postgres.url)
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=CLONE, check=True)
    with django_db_blocker.unblock(), connected_to(postgres.url):
        call_command("grant_database_roles", "--make", verbosity=0)
        postgres.give_password_to(map(role_name, ROLES))
        yield


@pytest.fixture
def hosts(casino: None, broker: str, tmp_path: Path) -> Iterator[tuple[Worker, Worker]]:
    """Two worker hosts, each with a beat."""
    first = Worker(environment=os.environ, folder=tmp_path)
    running = (first, first.twin())
    for host in running:
        host.start()
    yield running
    for host in running:
        host.stop()


@pytest.mark.slow
class TestTwoWorkerHosts:
    def test_settle_everything_once_despite_kills(
        self, hosts: tuple[Worker, Worker], postgres: PostgresOverTcp, tmp_path: Path
    ) -> None:
        """Killing a host, then the database, loses nothing and pays nothing twice."""
        feeds = cut_feed(tmp_path, rounds=600)
        running = manage("ingest", str(feeds[0]), role=DatabaseRole.FEED)
        hosts[0].kill()
        hosts[0].start()
        running.wait()
        postgres.kill()
        postgres.start()
        connection.close()  # the test's own, which ended with the server
        completed = ingest(feeds[1])
        wait_for_settlement()

        assert (running.returncode, completed.returncode) == (0, 0)
        assert_books_are_right(lines_of(*feeds))


class TestTheServerOfThisTest:
    @pytest.mark.slow
    def test_requires_the_password(self, postgres: PostgresOverTcp) -> None:
        """Verifies that the server requires it."""
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(postgres.url_with("wrong"))

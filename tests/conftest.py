"""Fixtures: a real PostgreSQL, fresh databases for tests that commit, real Celery workers."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker
from redis import Redis

from casino.embedded.addresses import database_url, valkey_socket
from casino.embedded.places import CLONE, Place
from tests.processes import Worker
from tests.servers import POSTGRES, VALKEY, start_test_postgres, start_test_valkey

_numbers = count()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """PostgreSQL runs before the test database is made in it; each xdist worker has its own."""
    start_test_postgres()


@pytest.fixture(scope="session")
def casino_template(worker_id: str) -> str:
    """A migrated, empty database that nobody is connected to, for others to be copied from."""
    start_test_postgres()
    name = f"casino_{worker_id}"
    _run("CREATE DATABASE {}", name)
    url = database_url(Place(POSTGRES), name)
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=CLONE,
        env={**os.environ, "DATABASE_URL": url},
        check=True,
    )
    return name


@pytest.fixture
def fresh_casino(
    casino_template: str, django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """A database of its own for a test that commits or that starts processes; gives its URL.

    Django's connection and DATABASE_URL name it. Tables that only grow cannot be emptied between
    tests, so each of these tests gets a copy of the migrated template.
    """
    name = f"{casino_template}_{next(_numbers)}"
    _run("CREATE DATABASE {} TEMPLATE {}", name, casino_template)
    url = database_url(Place(POSTGRES), name)
    monkeypatch.setenv("DATABASE_URL", url)
    with django_db_blocker.unblock():
        before = connection.settings_dict["NAME"]
        connection.close()
        connection.settings_dict["NAME"] = name
        yield url
        connection.close()
        connection.settings_dict["NAME"] = before
    _run("DROP DATABASE {} WITH (FORCE)", name)


@pytest.fixture
def broker(worker_id: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An empty broker for this test alone: a database of the run's Valkey; gives its URL."""
    start_test_valkey()
    number = int(worker_id.removeprefix("gw")) + 1 if worker_id != "master" else 0
    socket = valkey_socket(Place(VALKEY))
    Redis(unix_socket_path=str(socket), db=number).flushdb()
    url = f"redis+socket://{socket}?virtual_host={number}"
    monkeypatch.setenv("CELERY_BROKER_URL", url)
    return url


@pytest.fixture
def worker(fresh_casino: str, broker: str, tmp_path: Path) -> Iterator[Worker]:
    """A Celery worker on the test's own database and broker, started, stopped at the end."""
    environment = {"DATABASE_URL": fresh_casino, "CELERY_BROKER_URL": broker}
    running = Worker(environment=environment, folder=tmp_path)
    running.start()
    yield running
    running.stop()


def _run(statement: str, *names: str) -> None:
    """Runs a statement about databases from outside of them."""
    elsewhere = database_url(Place(POSTGRES), "postgres")
    with psycopg.connect(elsewhere, autocommit=True) as outside:
        outside.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

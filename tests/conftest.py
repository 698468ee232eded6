"""Fixtures: a real PostgreSQL, fresh databases for tests that commit, real Celery workers."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final, Protocol

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import translation
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from casino.access.roles import grant_roles
from casino.celery import app
from casino.embedded.addresses import database_url
from casino.embedded.server_paths import ServerPaths
from tests.brokers import BROKERS
from tests.databases import connected_to, migrate
from tests.process_memory import forget_verified
from tests.processes import Worker
from tests.servers import FOLDER, POSTGRES, start_test_postgres

pytest_plugins = ["tests.web_role"]
_in_use: Final[set[str]] = set()


@pytest.fixture(scope="session", autouse=True)
def _documents_in_time() -> Iterator[None]:
    """What tests bring in by the real clock is dated 2026-11-21 and counts as late 31 days later.

    The limit moves with the clock and stays a limit: what is older than a month before is late.
    """
    age = datetime.now(UTC) - datetime(2026, 11, 21, 21, tzinfo=UTC)
    days = str(31 + max(age.days, 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAX_LATENESS_DAYS", days)
        patch.setattr(settings, "MAX_LATENESS_DAYS", int(days))
        yield


@pytest.fixture(scope="session", autouse=True)
def _passwords_that_cost_nothing() -> Iterator[None]:
    """A fast password hasher: the safe one takes half a processor second for each person."""
    with pytest.MonkeyPatch.context() as patch:
        fast = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        patch.setattr(settings, "PASSWORD_HASHERS", fast)
        yield


@pytest.fixture(autouse=True)
def _words_as_they_stand() -> Iterator[None]:
    """Each test begins untranslated, even if an earlier one has chosen a language."""
    with translation.override(None):
        yield


@pytest.fixture(autouse=True)
def _nothing_verified_yet() -> None:
    """Each test begins as a new process, which does not know what was signed in its database."""
    forget_verified()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, casino_template: str
) -> None:
    """Each xdist worker has a test database of its own, copied from the template."""
    connection.settings_dict["TEST"]["TEMPLATE"] = casino_template


class NewTemplate(Protocol):
    """Makes a database by steps that take long, once in a run; gives its name."""

    def __call__(self, name: str, fill: Callable[[], None], *, template: str = ...) -> str:
        """``template`` is the database that it is copied from; an empty one by default."""


@pytest.fixture(scope="session")
def new_template(django_db_blocker: DjangoDbBlocker) -> NewTemplate:
    """Makes databases without connections, for tests to have copies of (``copy_of``).

    The first of the run's xdist workers that needs one makes it. It has its name once it is filled.
    """
    made: set[str] = set()

    def make(name: str, fill: Callable[[], None], *, template: str = "template0") -> str:
        if name in made:
            return name
        start_test_postgres()
        with ServerPaths(FOLDER / name).locked():
            if not _exists(name):
                unfinished = f"{name}_unfinished"
                _run("DROP DATABASE IF EXISTS {}", unfinished)
                _run("CREATE DATABASE {} TEMPLATE {}", unfinished, template)
                url = database_url(ServerPaths(POSTGRES), unfinished)
                with django_db_blocker.unblock(), connected_to(url):
                    fill()
                _run("ALTER DATABASE {} RENAME TO {}", unfinished, name)
        made.add(name)
        return name

    return make


@pytest.fixture(scope="session")
def casino_template(new_template: NewTemplate) -> str:
    """The name of an empty database with every migration, group and role."""
    return new_template("casino", _migrate_and_grant)


def _migrate_and_grant() -> None:
    migrate()
    grant_roles()
    call_command("grant_database_roles", "--make", verbosity=0)
    with connection.cursor() as cursor:  # below are the numbers of persons without an account
        cursor.execute("ALTER SEQUENCE auth_user_id_seq RESTART WITH 100")


@pytest.fixture
def fresh_casino(
    casino_template: str,
    django_db_blocker: DjangoDbBlocker,
    monkeypatch: pytest.MonkeyPatch,
    worker_id: str,
) -> Iterator[str]:
    """A database of its own for a test that commits or that starts processes; gives its URL.

    Django's connection and DATABASE_URL name it. Tables that only grow cannot be emptied between
    tests, so each of these tests gets a copy of the migrated template.
    """
    with django_db_blocker.unblock(), _database(casino_template, monkeypatch, worker_id) as url:
        yield url


@pytest.fixture(scope="module")
def module_casino(
    casino_template: str, django_db_blocker: DjangoDbBlocker, worker_id: str
) -> Iterator[str]:
    """``fresh_casino`` for all tests of a module, for a server that they share."""
    with (
        pytest.MonkeyPatch.context() as monkeypatch,
        django_db_blocker.unblock(),
        _database(casino_template, monkeypatch, worker_id) as url,
    ):
        yield url


@pytest.fixture
def empty_database(
    django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch, worker_id: str
) -> Iterator[str]:
    """A database without a single table, for tests of migrations; gives its URL."""
    start_test_postgres()
    with django_db_blocker.unblock(), _database("template0", monkeypatch, worker_id) as url:
        yield url


@pytest.fixture
def copy_of(
    django_db_blocker: DjangoDbBlocker, monkeypatch: pytest.MonkeyPatch, worker_id: str
) -> Iterator[Callable[[str], str]]:
    """Makes the test's own copy of a template, as ``fresh_casino`` is one; gives its URL."""
    with django_db_blocker.unblock(), ExitStack() as stack:
        yield lambda template: stack.enter_context(_database(template, monkeypatch, worker_id))


@contextmanager
def _database(template: str, monkeypatch: pytest.MonkeyPatch, worker_id: str) -> Iterator[str]:
    # The lowest number that is free: a web server finds the database of the next test (`served`).
    name = next(name for at in count() if (name := f"casino_{worker_id}_{at}") not in _in_use)
    _in_use.add(name)
    # Copied file by file: else every page goes through the log.
    _run("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)
    url = database_url(ServerPaths(POSTGRES), name)
    monkeypatch.setenv("DATABASE_URL", url)
    with connected_to(url):
        yield url
    _run("DROP DATABASE {} WITH (FORCE)", name)
    _in_use.remove(name)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the account PostgreSQL runs as can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="sabot-test-") as path:
        Path(path).chmod(0o755)
        yield Path(path)


@pytest.fixture(
    params=[
        # What holds on one of them hardly ever fails on the other: the second is a slow proof.
        pytest.param(name, marks=[pytest.mark.slow] if name == "rabbitmq" else [])
        for name in BROKERS
    ]
)
def broker(
    request: pytest.FixtureRequest, worker_id: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """An empty broker for this test alone, of each kind there is; gives its URL.

    CELERY_BROKER_URL and CELERY_QUEUE name it. This process connects to it, too: Celery keeps the
    connections of the broker that it reached first, for example an earlier test's.
    """
    with BROKERS[request.param](worker_id) as (url, queue):
        monkeypatch.setattr(app, "_pool", None)
        monkeypatch.setattr(app.amqp, "_producer_pool", None)
        monkeypatch.setenv("CELERY_BROKER_URL", url)
        monkeypatch.setenv("CELERY_QUEUE", queue)
        yield url


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
    with _outside() as outside:
        outside.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _exists(name: str) -> bool:
    with _outside() as outside:
        databases = outside.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        return databases.fetchone() is not None


def _outside() -> "psycopg.Connection[tuple[Any, ...]]":
    return psycopg.connect(database_url(ServerPaths(POSTGRES), "postgres"), autocommit=True)

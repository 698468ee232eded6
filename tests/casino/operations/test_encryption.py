"""TLS to PostgreSQL and the broker: only a server that proves its name is believed."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler
from environ import Env
from kombu import Connection
from kombu.exceptions import OperationalError as BrokerError
from pytest_django import Settings

from casino.databases import databases
from casino.workers.broker import tls_options, transport_options
from tests.brokers import BROKERS
from tests.casino.operations.check_results import OK, WARNING, found
from tests.casino.workers.settled_feeds import wait_for_settlement
from tests.certificates import Authority
from tests.processes import Worker, ingest
from tests.tls_lines import Streams, tls_line

_HOST: Final = "127.0.0.1"
"""What a certificate has to name."""


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """Trusted by nobody who is not given its file."""
    return Authority(tmp_path)


def streams_to(url: str) -> Callable[[], Awaitable[Streams]]:
    """Connects to a server of the tests, by its socket or port."""
    parts = urlsplit(url)
    if "+socket" in parts.scheme:
        return partial(asyncio.open_unix_connection, parts.path)
    return partial(asyncio.open_connection, parts.hostname, parts.port or 5672)


def connection_of(url: str) -> BaseDatabaseWrapper:
    """A connection as settings make it of this URL."""
    return ConnectionHandler(databases(Env.db_url_config(url)))[DEFAULT_DB_ALIAS]


class TestPostgres:
    @pytest.fixture
    def port(self, fresh_casino: str, authority: Authority) -> Iterator[int]:
        """The test's server, with TLS before it."""
        with psycopg.connect(fresh_casino) as server:
            folder, number = server.info.host, server.info.port
        place = partial(asyncio.open_unix_connection, f"{folder}/.s.PGSQL.{number}")
        with tls_line(authority.issue(_HOST), place, is_postgres=True) as port:
            yield port

    def url(self, fresh_casino: str, port: int, host: str, **options: str) -> str:
        """The address of the same database through TLS."""
        with psycopg.connect(fresh_casino) as server:
            user, name = server.info.user, server.info.dbname
        query = "&".join(f"{option}={value}" for option, value in options.items())
        return f"postgres://{user}@{host}:{port}/{name}?{query}"

    def test_with_the_right_name_is_used(
        self, fresh_casino: str, port: int, authority: Authority
    ) -> None:
        """As docs/securing.md says."""
        verified = {"sslmode": "verify-full", "sslrootcert": str(authority.file)}
        server = connection_of(self.url(fresh_casino, port, _HOST, **verified))
        server.ensure_connection()

        assert server.connection.pgconn.ssl_in_use
        server.close()

    @pytest.mark.parametrize("wrong", ["name", "authority"])
    def test_that_proves_something_else_is_refused(
        self, fresh_casino: str, port: int, authority: Authority, tmp_path: Path, wrong: str
    ) -> None:
        """Nothing is sent to it, no password either."""
        trusted = authority if wrong == "name" else Authority(tmp_path, name="another")
        host = "localhost" if wrong == "name" else _HOST
        verified = {"sslmode": "verify-full", "sslrootcert": str(trusted.file)}
        server = connection_of(self.url(fresh_casino, port, host, **verified))

        with pytest.raises(OperationalError, match="certificate"):
            server.ensure_connection()


class Broker(NamedTuple):
    """A broker behind TLS."""

    url: str
    queue: str
    options: dict[str, Any]
    """What Celery has for TLS."""

    def connect(self) -> None:
        """Raises BrokerError."""
        timeouts = transport_options(self.url)
        with Connection(self.url, ssl=self.options, transport_options=timeouts) as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=10)


class TestTheBroker:
    @pytest.fixture(params=list(BROKERS))
    def through(
        self, request: pytest.FixtureRequest, worker_id: str, authority: Authority
    ) -> Iterator[Callable[..., Broker]]:
        """Gives the broker with the certificate of a host, for who trusts an authority."""
        with BROKERS[request.param](worker_id) as (url, queue), ExitStack() as lines:
            parts = urlsplit(url)
            login = f"{parts.username}:{parts.password}@" if parts.username else ""
            scheme, path = ("amqps", parts.path) if login else ("rediss", f"/{_number_in(url)}")

            def make(certified: str = _HOST, trusted: Authority = authority) -> Broker:
                line = tls_line(authority.issue(certified), streams_to(url))
                address = f"{scheme}://{login}{_HOST}:{lines.enter_context(line)}{path}"
                options = tls_options(address, authority=str(trusted.file))
                assert options is not None
                return Broker(address, queue, options)

            yield make

    def test_with_the_right_name_is_used(self, through: Callable[..., Broker]) -> None:
        """Its certificate has the name of the URL."""
        through().connect()

    def test_with_another_name_is_refused(self, through: Callable[..., Broker]) -> None:
        """The libraries compare no names by themselves, or only some do."""
        with pytest.raises((BrokerError, ssl.SSLError), match=r"(?i)certificate"):
            through("another.example").connect()

    def test_of_another_authority_is_refused(
        self, through: Callable[..., Broker], tmp_path: Path
    ) -> None:
        """It has the name, and nobody whom we trust says so."""
        with pytest.raises((BrokerError, ssl.SSLError), match=r"(?i)certificate"):
            through(trusted=Authority(tmp_path, name="another")).connect()

    @pytest.mark.slow
    def test_wakes_a_worker_that_settles(
        self,
        through: Callable[..., Broker],
        authority: Authority,
        fresh_casino: str,
        feeds: tuple[Path, Path],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The whole way, as an installation has it."""
        broker = through()
        environment = {
            "CELERY_BROKER_URL": broker.url,
            "CELERY_BROKER_CA": str(authority.file),
            "CELERY_QUEUE": broker.queue,
        }
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        worker = Worker(environment={"DATABASE_URL": fresh_casino}, folder=tmp_path)
        worker.start()
        try:
            assert ingest(feeds[0]).returncode == 0
            wait_for_settlement()
        finally:
            worker.stop()


def _number_in(url: str) -> str:
    return url.partition("virtual_host=")[2]


@pytest.mark.django_db
def test_doctor_names_a_database_in_clear_text(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """The server of this test is on this host: that is taken away from the check."""
    here = found("database encryption")
    monkeypatch.setattr("casino.operations.checks.encryption.is_here", lambda _host: False)
    elsewhere = found("database encryption")
    connection.ensure_connection()
    settings.CLEAR_TEXT_HOSTS = [connection.connection.info.host]

    assert here == (OK, "on this host")
    assert elsewhere == (WARNING, "clear text")
    assert found("database encryption") == (OK, "clear text, which CLEAR_TEXT_HOSTS allows")

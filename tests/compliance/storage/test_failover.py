"""A primary that is lost: the same connection reaches the replica that was promoted."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection
from environ import Env
from pytest_django.plugin import DjangoDbBlocker

from casino.databases import databases
from casino.embedded import Running, start_postgres
from rounds.models import Round
from tests.casino_in_play import ingest, open_table
from tests.databases import connected_to
from tests.documents import baccarat_round, lines
from tests.replica import copy_database, start_replica

pytestmark = pytest.mark.slow
"""A second PostgreSQL is filled and copied for it."""


@pytest.fixture
def pair(
    casino_template: str, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[Running, Running]]:
    """A primary whose commits wait for its replica, and Django connected to both by one URL."""
    with tempfile.TemporaryDirectory(prefix="sabot-test-") as path:
        folder = Path(path)
        folder.chmod(0o755)
        primary = start_postgres(folder / "primary", durable=False)
        copy_database(casino_template, primary, folder / "casino.sql")
        replica = start_replica(primary, folder / "replica")
        with psycopg.connect(primary.url, autocommit=True) as outside:
            outside.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            outside.execute("SELECT pg_reload_conf()")
        with django_db_blocker.unblock(), connected_to(primary.url):
            connection.settings_dict |= of_both(primary, replica)
            open_table()
            yield primary, replica
        replica.stop()


def of_both(*servers: Running) -> dict[str, Any]:
    """Django's settings for a URL that names several servers; commits wait, as in production."""
    hosts = ",".join(str(server.place.sockets) for server in servers)
    options = {"host": hosts, "options": "-c synchronous_commit=on"}
    one = Env.db_url_config(servers[0].url)
    found = databases({**one, "OPTIONS": options})[DEFAULT_DB_ALIAS]
    return {"OPTIONS": found["OPTIONS"]}


def host() -> str:
    """The server that Django is connected to."""
    connection.ensure_connection()
    return str(connection.connection.info.host)


def test_the_replica_takes_over(pair: tuple[Running, Running]) -> None:
    """With every acknowledged round, and takes further ones after the first failure."""
    primary, replica = pair
    first, second = (str(server.place.sockets) for server in pair)
    ingest(lines(baccarat_round("r-1")))
    assert host() == first

    primary.kill()
    with psycopg.connect(replica.url, autocommit=True) as outside:
        outside.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
        outside.execute("SELECT pg_promote()")
    with pytest.raises(OperationalError):
        ingest(lines(baccarat_round("r-2")))
    connection.close_if_unusable_or_obsolete()
    ingest(lines(baccarat_round("r-2")))

    assert set(Round.objects.values_list("reference", flat=True)) == {"r-1", "r-2"}
    assert host() == second

"""One copy of a template after the other, for tests that begin many times from the same state."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection
from psycopg import sql

from casino.embedded.addresses import database_url
from casino.embedded.server_paths import ServerPaths
from tests.databases import connected_to
from tests.process_memory import forget_verified
from tests.servers import POSTGRES

Prepare = Callable[[], str]
"""Makes the copy anew, as Django's database, for a process that has verified nothing; its URL."""


@contextmanager
def fresh_copies(template: str, *, name: str) -> Iterator[Prepare]:
    """Copies that follow one another under one name."""
    url = database_url(ServerPaths(POSTGRES), name)

    def prepare() -> str:
        connection.close()
        _outside("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
        _outside("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)
        forget_verified()
        return url

    with connected_to(url):
        yield prepare
    _outside("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _outside(statement: str, *names: str) -> None:
    url = database_url(ServerPaths(POSTGRES), "postgres")
    with psycopg.connect(url, autocommit=True) as outside:
        outside.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

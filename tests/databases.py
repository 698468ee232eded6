"""Which database Django's connection of the test process leads to."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.db import connection, connections
from environ import Env

from casino.databases import databases
from compliance.replica import REPLICA

_WHERE: Final[dict[str, Any]] = {
    "NAME": "",
    "USER": "",
    "PASSWORD": "",
    "HOST": "",
    "PORT": "",
    "OPTIONS": {},
}


@contextmanager
def connected_to(url: str) -> Iterator[None]:
    """Django's connection leads to the database of this URL; afterwards where it led before."""
    settings = connection.settings_dict
    before = {key: settings[key] for key in _WHERE}
    connection.close()
    settings |= {**_WHERE, **{key: Env.db_url_config(url).get(key, _WHERE[key]) for key in _WHERE}}
    try:
        yield
    finally:
        connection.close()
        settings |= before


@contextmanager
def replica_at(url: str) -> Iterator[None]:
    """Django has the replica of this URL, as if DATABASE_REPLICA_URL had named it."""
    named = databases(connection.settings_dict, replica_url=url)
    connections.settings[REPLICA] = connections.configure_settings(named)[REPLICA]
    try:
        yield
    finally:
        connections[REPLICA].close()
        del connections[REPLICA], connections.settings[REPLICA]

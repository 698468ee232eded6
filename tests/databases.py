"""The database of Django's connection in the test process, its roles and its migrations."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import quote, urlsplit, urlunsplit

from django.core.management import call_command
from django.db import connection, connections
from environ import Env

from casino.databases import databases
from compliance.storage.database_roles.role import DatabaseRole, role_name
from compliance.storage.replica import REPLICA

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
    """Connects Django to the database of this URL, and back afterwards."""
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
def connected_as(role: DatabaseRole, url: str) -> Iterator[None]:
    """Connects Django to the database of this URL with a role of its own."""
    with connected_to(url_as(role, url)):
        yield


def url_as(role: DatabaseRole, url: str) -> str:
    """The URL with another role, which has the same password if there is one."""
    parts = urlsplit(url)
    login, _, host = parts.netloc.rpartition("@")
    _, colon, password = login.partition(":")
    name = quote(role_name(role), safe="")
    return urlunsplit(parts._replace(netloc=f"{name}{colon}{password}@{host}"))


@contextmanager
def replica_at(url: str) -> Iterator[None]:
    """Configures the replica of this URL, as DATABASE_REPLICA_URL does."""
    named = databases(connection.settings_dict, replica_url=url)
    connections.settings[REPLICA] = connections.configure_settings(named)[REPLICA]
    try:
        yield
    finally:
        connections[REPLICA].close()
        del connections[REPLICA], connections.settings[REPLICA]


def migrate(*target: str) -> None:
    """Runs ``manage.py migrate`` on Django's connection.

    The garbage collector is disabled: it would take half of the time, searching the hundreds of
    models that each migration creates.
    """
    gc.disable()
    try:
        call_command("migrate", *target, verbosity=0)
    finally:
        gc.enable()

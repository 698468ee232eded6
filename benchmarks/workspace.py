"""The workspace of the benchmarks: a folder, a PostgreSQL, a fresh database per part."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import count
from pathlib import Path

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from psycopg import sql

from benchmarks.data.feeds import MIX_TABLES, Feeds
from casino.access.models.roles import ROLES_GIVEN_ON_HOST
from casino.access.roles import ADMINISTRATOR
from casino.devserver.demo import make_tables
from casino.embedded.addresses import DATABASE, database_url
from casino.embedded.server_paths import ServerPaths
from compliance.signatures.manage_keys import register_key, root_key
from compliance.signatures.software_key import SoftwareKey
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.models import EarlierRuleSet, EarlierTable, Table
from rounds.rules.catalogue import RULE_SETS

BENCHMARK = Actor("benchmark")
TABLES_OF_A_GAME = MIX_TABLES + 1
"""Those of the mix, and one more for rounds that are timed while the mix is played."""


class Workspace:
    """A folder of the run, with the feeds and the durable PostgreSQL that lie in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.feeds = Feeds(folder)
        self._postgres = ServerPaths(folder / "postgres")
        self._numbers = count(1)

    def prepare(self) -> None:
        """Makes what every database of the run is copied from: migrated, tables registered."""
        call_command("migrate", verbosity=0)
        long_ago = timezone.now() - 2 * settings.DECISION_DELAY
        register_tables(signing_person("benchmark", 1, role=ADMINISTRATOR, at=long_ago))
        connection.close()

    @contextmanager
    def fresh_database(self) -> Iterator[str]:
        """A database of its own behind Django's connection and DATABASE_URL; gives its URL.

        It is dropped at the end, so that no part is slowed by what another one stored.
        """
        with self.empty_database(template=DATABASE) as name, self._connected_to(name) as url:
            yield url

    @contextmanager
    def copied_database(self) -> Iterator[str]:
        """As ``fresh_database``, a copy of the database that Django's connection names now."""
        before = str(connection.settings_dict["NAME"])
        connection.close()
        with self.empty_database(template=before) as name, self._connected_to(name) as url:
            yield url

    @contextmanager
    def empty_database(self, *, template: str = "template1") -> Iterator[str]:
        """A database on the same server that nobody is connected to; gives its name."""
        name = f"bench_{next(self._numbers)}"
        self._run("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)
        try:
            yield name
        finally:
            self._run("DROP DATABASE {} WITH (FORCE)", name)

    def url_of(self, database: str) -> str:
        """The URL of one of the server's databases."""
        return database_url(self._postgres, database)

    @contextmanager
    def _connected_to(self, name: str) -> Iterator[str]:
        before = os.environ["DATABASE_URL"], connection.settings_dict["NAME"]
        os.environ["DATABASE_URL"] = self.url_of(name)
        connection.settings_dict["NAME"] = name
        try:
            yield os.environ["DATABASE_URL"]
        finally:
            connection.close()
            os.environ["DATABASE_URL"], connection.settings_dict["NAME"] = before

    def _run(self, statement: str, *names: str) -> None:
        """Runs a statement about databases from outside of them."""
        with psycopg.connect(self.url_of("postgres"), autocommit=True) as outside:
            outside.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def register_tables(actor: Actor) -> None:
    """The tables of the feeds, with limits that the actor signs; they take unsigned rounds."""
    make_tables(at=timezone.now(), actor=actor, each=TABLES_OF_A_GAME)
    unsigned = [EarlierTable(table=table) for table in Table.objects.all()]
    EarlierTable.objects.bulk_create(unsigned)  # most parts measure feeds without signatures
    rules = [EarlierRuleSet(digest=rules.digest) for rules in RULE_SETS.values()]
    EarlierRuleSet.objects.bulk_create(rules)


def signing_person(name: str, account: int, *, role: str, at: datetime) -> Actor:
    """Somebody with a role and a key in force, both by the host."""
    key = SoftwareKey.generate()
    person = Actor(name, account, key)
    given = Entry(ROLES_GIVEN_ON_HOST, f"user:{account}", {"roles_after": [role]})
    record_entries([given], at=at, actor=BENCHMARK)
    row = register_key(
        public=key.public, credential_id=key.credential_id, label=name, at=at, actor=person
    )
    root_key(key_id=row.id, at=at, actor=BENCHMARK)
    return person

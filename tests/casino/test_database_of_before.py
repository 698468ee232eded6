"""A database written by an earlier layout of the modules is valid for the current code.

The dump in ``tests/golden`` has rows of every application; its README says how it was made.
"""

import gzip
from collections import Counter
from pathlib import Path
from typing import Final

import psycopg
import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from casino.access.verification.verify_roles import verify_roles
from casino.signed_rows import signed_rows
from compliance.signatures.models import EarlierDecision
from compliance.trail.record import record_entry
from tests.databases import migrate

_DUMP: Final = Path(__file__).parents[1] / "golden" / "database-before-the-move.sql.gz"
_BOOKKEEPING: Final = {
    "auth_permission",
    "django_content_type",
    "django_migrations",
    "trail_pendingrow",  # digests of the decisions from before signatures
}
"""Tables that a newer migration may add rows to."""

_COLUMNS: Final = """
    SELECT relname::text, array_agg(quote_ident(attname) ORDER BY attnum)
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND attnum > 0 AND NOT attisdropped
     GROUP BY relname
"""

Columns = dict[str, list[str]]
Rows = Counter[tuple[str, str]]


@pytest.fixture
def restored(empty_database: str) -> None:
    """The dump, restored into a database of its own."""
    with psycopg.connect(empty_database, autocommit=True) as target:
        target.execute(gzip.decompress(_DUMP.read_bytes()))


def columns() -> Columns:
    """The columns of every table; partitions belong to their table."""
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS)
        return dict(cursor.fetchall())


def rows(tables: Columns) -> Rows:
    """Every row of these tables as text."""
    rows: Rows = Counter()
    with connection.cursor() as cursor:
        for table, names in tables.items():
            cursor.execute(f"SELECT ROW({', '.join(names)})::text FROM {table}")
            rows.update((table, row) for (row,) in cursor.fetchall())
    return rows


def record_access() -> None:
    """The dump's two rows of access were written without a service, and so without records."""
    for row in signed_rows():
        record_id = record_entry(row.entry, at=row.at, actor=row.actor)
        EarlierDecision.objects.create(record_id=record_id)


@pytest.mark.usefixtures("restored")
class TestADatabaseOfBefore:
    @pytest.mark.slow
    def test_keeps_its_rows_and_is_valid(self) -> None:
        """Migrations are known and migrating changes no row; nothing differs afterwards."""
        person = User.objects.order_by("pk")[0]
        person.groups.add(Group.objects.get(name="supervisor"))
        tables = columns()
        before = rows(tables)
        loader = MigrationExecutor(connection).loader
        applied = loader.applied_migrations.keys()

        migrate()

        after = rows(tables)
        assert {"casino", "trail", "rounds", "payouts", "api", "exports"} <= {
            app for app, _ in applied
        }
        assert applied - loader.disk_migrations.keys() == set()
        assert before - after == Counter()
        assert {table for table, _row in after - before} <= _BOOKKEEPING
        self.assert_valid()
        assert_no_further_role_counts(person)

    def assert_valid(self) -> None:
        """Asserts that no migration is missing, and schema, trail, facts and money verify."""
        record_access()
        call_command("makemigrations", check=True, dry_run=True, verbosity=0)
        call_command("verify_schema", verbosity=0)
        call_command("verify_trail")


def assert_no_further_role_counts(person: User) -> None:
    """Asserts that what was given before roles were verified stays valid, and no more."""
    person.groups.add(Group.objects.get(name="compliance"))
    faults: list[str] = []
    verify_roles(faults.append)
    assert len(faults) == 1

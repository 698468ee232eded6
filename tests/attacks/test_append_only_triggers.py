"""Each trigger that keeps rows as they are, or their digests, is needed: without it they change.

``tests/compliance/storage/test_append_only.py`` and ``tests/compliance/trail/test_row_digests.py``
show that all of them refuse and attest.
"""

from typing import Final

import pgtrigger
import pytest
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper

from compliance.storage.append_only import append_only
from compliance.trail.models import AuditRecord, PendingRow
from compliance.trail.row_digests import ROWS_KEPT, attested_models, attested_rows
from tests.compliance.storage.filled_tables import fill_every_table
from tests.compliance.trail.lost_logs import invent_gap

pytestmark = pytest.mark.django_db

_CHANGES: Final = {
    "no_update": "UPDATE {0} SET {1} = {1}",
    "no_delete": "DELETE FROM {0}",
    "no_truncate": "TRUNCATE {0}",
}
KEPT: Final = {
    (model._meta.db_table, str(trigger.name)): trigger
    for model, trigger in pgtrigger.registered()
    if str(trigger.name).endswith((*(f"_{change}" for change in _CHANGES), "_kept"))
}
"""The triggers of append-only tables and of attested rows, by table and name."""
_FOREIGN_KEYS: Final = """
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)
      FROM pg_constraint WHERE contype = 'f' AND conparentid = 0
"""
_TRIGGERS: Final = """
    SELECT format('DROP TRIGGER %%I ON %%s', tgname, relid)
      FROM pg_partition_tree(%s)
      JOIN pg_trigger ON tgrelid = relid AND tgparentid = 0
     WHERE tgname ~ %s
    UNION
    SELECT format('DROP TRIGGER %%I ON %%s', tgname, tgrelid::regclass)
      FROM pg_trigger WHERE tgrelid = to_regclass(%s) AND tgname ~ %s AND tgparentid = 0
"""
"""The triggers of a table; a partition has its own that refuses TRUNCATE."""


def run_all(cursor: CursorWrapper, query: str, *parameters: str) -> None:
    """Executes each statement that the query gives."""
    cursor.execute(query, parameters or None)
    for (statement,) in cursor.fetchall():
        cursor.execute(statement)


def drop(cursor: CursorWrapper, table: str, name: str) -> None:
    """Drops a trigger of a table and of its partitions."""
    pattern = f"^pgtrigger_{name}_[0-9a-f]+$"
    run_all(cursor, _TRIGGERS, table, pattern, table, pattern)


def obeys(cursor: CursorWrapper, table: str, trigger: str) -> bool:
    """Whether the change succeeds that the trigger refuses; it is undone."""
    column = connection.introspection.get_table_description(cursor, table)[0].name
    change = next(text for name, text in _CHANGES.items() if trigger.endswith(name))
    with transaction.atomic():
        try:
            with transaction.atomic():
                cursor.execute(change.format(table, column))
        except DatabaseError:
            return False
        transaction.set_rollback(True)
    return True


def with_and_without(cursor: CursorWrapper, table: str, trigger: str) -> tuple[bool, bool]:
    """Whether the change succeeds, with the trigger and without."""
    with transaction.atomic():
        before = obeys(cursor, table, trigger)
        drop(cursor, table, trigger)
        after = obeys(cursor, table, trigger)
        transaction.set_rollback(True)
    return before, after


@pytest.mark.slow
def test_without_one_its_change_succeeds() -> None:
    """Of each table: a row is changed or deleted, or all are removed at once."""
    fill_every_table()
    invent_gap()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        run_all(cursor, _FOREIGN_KEYS)  # they would refuse some changes as well
        found = {
            (table, name): with_and_without(cursor, table, name)
            for table, name in KEPT
            if not name.endswith("_kept")
        }

    assert {key: tried for key, tried in found.items() if tried != (False, True)} == {}


@pytest.mark.slow
def test_without_them_no_row_is_attested() -> None:
    """Each writes the digests of its own table, so a row that goes at once is missed by nobody."""
    PendingRow.objects.all().delete()  # those of the migrations
    with connection.cursor() as cursor:
        for table, name in KEPT:
            if name.endswith("_kept"):
                drop(cursor, table, name)

    fill_every_table()

    assert all(model._default_manager.exists() for model in attested_models())
    assert not PendingRow.objects.exists()
    assert not AuditRecord.objects.filter(action=ROWS_KEPT).exists()


def test_all_are_made_by_the_same_functions() -> None:
    """So that none is a weaker one of its name."""
    for (_table, name), trigger in KEPT.items():
        prefix, _, _kind = name.rpartition("_kept")
        if prefix:
            key = str(trigger.func).partition("'")[2].partition("'")[0]
            expected = attested_rows(prefix, key=key)
        else:
            prefix = name.rpartition("_no_")[0]
            [expected] = [one for one in append_only(prefix) if one.name == name]
        assert type(trigger) is type(expected)
        assert vars(trigger) == vars(expected)

"""Migrations: a table that was whole becomes one that is cut by month, with all that it holds.

The new table gets the old one's columns, checks, keys, indexes and triggers under the same names,
so that nothing else has to know. Readers and writers wait until the migration's transaction ends.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from django.db import connection
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone

from compliance.trail.partitions import (
    MAKE_PARTITION,
    guard_partitions,
    make_months,
    months_around,
)

_COLUMNS: Final = """
    SELECT attname FROM pg_attribute
     WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped
     ORDER BY attnum
"""
_CONSTRAINTS: Final = """
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
     WHERE conrelid = to_regclass(%s) AND contype IN ('p', 'u', 'f')
     ORDER BY contype DESC
"""
_REFERENCES: Final = """
    SELECT conname, pg_get_constraintdef(oid), conrelid::regclass::text FROM pg_constraint
     WHERE confrelid = to_regclass(%s) AND contype = 'f'
"""
_INDEXES: Final = """
    SELECT pg_get_indexdef(indexrelid) FROM pg_index
     WHERE indrelid = to_regclass(%s)
       AND indexrelid NOT IN (SELECT conindid FROM pg_constraint WHERE contype IN ('p', 'u'))
"""
_TRIGGERS: Final = """
    SELECT tgname, pg_get_triggerdef(oid), obj_description(oid, 'pg_trigger') FROM pg_trigger
     WHERE tgrelid = to_regclass(%s) AND NOT tgisinternal
"""


def cut_table(
    editor: BaseDatabaseSchemaEditor,
    table: str,
    key: str,
    *,
    computed: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Cuts a table by the months of its UUID column ``key``.

    ``computed`` gives columns that are not just copied an SQL expression over the row ``old``.
    """
    run = partial(editor.execute, params=None)
    like = _Likeness(table)
    run("SET CONSTRAINTS ALL IMMEDIATE")
    for name, _, referencing in like.references:
        run(f'ALTER TABLE {referencing} DROP CONSTRAINT "{name}"')
    run("CREATE SCHEMA whole")
    run(f"ALTER TABLE {table} SET SCHEMA whole")
    run(
        f"CREATE TABLE {table} (LIKE whole.{table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
        f" PARTITION BY RANGE ({key})"
    )
    for name, definition in like.constraints:
        run(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}')
    for (definition,) in like.indexes:
        run(definition)
    run(f"CREATE TABLE {table}_other PARTITION OF {table} DEFAULT")
    run(MAKE_PARTITION)  # no migration that cuts a table may come before it is there
    make_months(table, months_around(timezone.now().date()))
    values = ", ".join(computed.get(name, f'old."{name}"') for (name,) in like.columns)
    run(f"INSERT INTO {table} SELECT {values} FROM whole.{table} AS old")  # noqa: S608  our own names
    run("SET CONSTRAINTS ALL IMMEDIATE")
    run(f"DROP TABLE whole.{table}")
    run("DROP SCHEMA whole")
    for name, definition, referencing in like.references:
        run(f'ALTER TABLE {referencing} ADD CONSTRAINT "{name}" {definition}')
    for name, definition, comment in like.triggers:
        run(definition)
        run(f"COMMENT ON TRIGGER {name} ON {table} IS '{comment}'")
    guard_partitions(table)


class _Likeness:
    """What a table has beside its columns and checks, as statements that make it again."""

    def __init__(self, table: str) -> None:
        self.columns = _rows(_COLUMNS, table)
        self.constraints = _rows(_CONSTRAINTS, table)
        self.references = _rows(_REFERENCES, table)
        self.indexes = _rows(_INDEXES, table)
        self.triggers = _rows(_TRIGGERS, table)


def _rows(query: str, table: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, [table])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows

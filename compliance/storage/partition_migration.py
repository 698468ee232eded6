"""Migrations that partition an existing table by month, with its rows.

The new table gets the columns, checks, keys, indexes and triggers of the old one under the same
names. Readers and writers wait until the migration's transaction ends.
"""

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from django.db import connection
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone

from compliance.storage.partitions import (
    MAKE_PARTITION,
    make_months,
    months_around,
    protect_partitions,
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
    """Partitions a table by the months of its UUID column ``key``.

    ``computed`` maps columns that are not copied to an SQL expression over the row ``old``.
    """
    run = partial(editor.execute, params=None)
    like = _Definition(table)
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
    run(MAKE_PARTITION)  # it has to exist before the first migration that partitions a table
    make_months(table, months_around(timezone.now().date()))
    values = ", ".join(computed.get(name, f'old."{name}"') for (name,) in like.columns)
    run(f"INSERT INTO {table} SELECT {values} FROM whole.{table} AS old")
    run("SET CONSTRAINTS ALL IMMEDIATE")
    run(f"DROP TABLE whole.{table}")
    run("DROP SCHEMA whole")
    for name, definition, referencing in like.references:
        run(f'ALTER TABLE {referencing} ADD CONSTRAINT "{name}" {definition}')
    for name, definition, comment in like.triggers:
        run(definition)
        run(f"COMMENT ON TRIGGER {name} ON {table} IS '{comment}'")
    protect_partitions(table)


class _Definition:
    """The definition of a table, columns and checks apart, as statements that repeat it."""

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

"""The archived rows of tables without months, compared with those in the database.

Rounds refer to them, and they stay in the database when a month leaves it: customers, shoe
openings, stake limits, keys, rulings and the like.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import psycopg
from django.db import connection
from psycopg import sql

from compliance.archive.archive_list import ArchiveList, TableEntry
from compliance.archive.archived_tables import ArchivedTable, archived_tables
from compliance.archive.moved_months.load_rows import RowSource
from compliance.storage.partitions import partitioned_tables

MAY_CHANGE: Final[Mapping[str, frozenset[str]]] = {
    "rounds_table": frozenset({"name", "rules", "version"}),
}
"""Columns that a decision may change for later rounds. Every other row is permanent."""
_MOST: Final = 20
_LONGEST: Final = 120
_ARCHIVED: Final = "archived_rows"
_MAKE: Final = "CREATE TEMP TABLE archived_rows (LIKE public.{table}) ON COMMIT DROP"
_DIFFERING: Final = """
    SELECT {present}, {archived}, {stored}
      FROM pg_temp.archived_rows AS archived LEFT JOIN public.{table} AS stored ON {same_key}
     WHERE NOT {present} OR ROW({archived})::text <> ROW({stored})::text
     ORDER BY {key} LIMIT {most}
"""


def differing_rows(archive: ArchiveList, source: RowSource) -> Iterator[str]:
    """What differs from the database, at most twenty rows of a table: where, found and needed.

    Needs a transaction with ``COPY_SETTINGS``. Raises BadRows.
    """
    parted = set(partitioned_tables())
    listed = {entry.name: entry for entry in archive.tables}
    for table in archived_tables():
        if table.name in listed and table.name not in parted:
            yield from _of_table(table, listed[table.name], source)


def _of_table(table: ArchivedTable, entry: TableEntry, source: RowSource) -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(_MAKE).format(table=sql.Identifier(table.name)))
    source.load(entry, _ARCHIVED)
    source.require_digest(entry, table._replace(name=_ARCHIVED))
    compared = [
        column.name
        for column in entry.columns
        if column.name not in MAY_CHANGE.get(table.name, frozenset())
    ]
    with psycopg.Cursor(connection.connection) as cursor:
        rows = cursor.execute(_statement(table, compared)).fetchall()
        cursor.execute(f"DROP TABLE pg_temp.{_ARCHIVED}")
    for row in rows:
        yield _difference(table, compared, row)


def _statement(table: ArchivedTable, compared: list[str]) -> sql.Composed:
    def columns(alias: str) -> sql.Composed:
        names = [sql.SQL("{}.{}::text").format(_name(alias), _name(name)) for name in compared]
        return sql.SQL(", ").join(names)

    same = [sql.SQL("stored.{0} = archived.{0}").format(_name(column)) for column in table.key]
    return sql.SQL(_DIFFERING).format(
        table=_name(table.name),
        present=sql.SQL("stored.{} IS NOT NULL").format(_name(table.key[0])),
        archived=columns("archived"),
        stored=columns("stored"),
        same_key=sql.SQL(" AND ").join(same),
        key=sql.SQL(", ").join([sql.SQL("archived.{}").format(_name(it)) for it in table.key]),
        most=sql.Literal(_MOST),
    )


def _difference(table: ArchivedTable, columns: list[str], values: Sequence[Any]) -> str:
    archived = dict(zip(columns, values[1:], strict=False))
    stored = dict(zip(columns, values[1 + len(columns) :], strict=True))
    key = ", ".join(f"{name} {archived[name]}" for name in table.key)
    if not values[0]:
        return f"{table.name}, {key}: found no row; needed that of the archive"
    differing = [name for name in columns if archived[name] != stored[name]]
    found = ", ".join(f"{name} {_short(stored[name])}" for name in differing)
    needed = ", ".join(f"{name} {_short(archived[name])}" for name in differing)
    return f"{table.name}, {key}: found {found}; needed {needed}"


def _short(value: str | None) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _name(name: str) -> sql.Identifier:
    return sql.Identifier(name)

"""The rows of a table as PostgreSQL copies them, of which an archive states the digest."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import psycopg
from psycopg import sql

from compliance.archive.archive_list import Column
from compliance.archive.archived_tables import ArchivedTable
from payouts.reconciliation.checks.snapshot import Fetch

COPY_SETTINGS: Final = """
    SET LOCAL timezone = 'UTC';
    SET LOCAL datestyle = 'ISO';
    SET LOCAL bytea_output = 'hex';
    SET LOCAL jit = off
"""
"""Statements for the transaction that copies: rows are the same bytes on every database."""
_COLUMNS: Final = """
    SELECT attname, format_type(atttypid, NULL) FROM pg_attribute
     WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_TEXTS: Final = {"text", "character varying"}


def stored_columns(database: "psycopg.Connection[Any]", table: str) -> list[Column]:
    """The columns of a table, in their order."""
    with psycopg.Cursor(database) as cursor:
        return [Column(*row) for row in cursor.execute(_COLUMNS, [table]).fetchall()]


def copy_statement(table: ArchivedTable, columns: Sequence[Column], condition: str) -> sql.Composed:
    """The statement by which rows are copied out of the database, in the order of their key.

    Texts are in the order of their bytes, whatever the collation of the database.
    """
    types = {column.name: column.type for column in columns}
    order = [
        sql.SQL('{} COLLATE "C"' if types[name] in _TEXTS else "{}").format(sql.Identifier(name))
        for name in table.key
    ]
    return sql.SQL("COPY (SELECT {} FROM {} WHERE {} ORDER BY {}) TO STDOUT (FORMAT csv)").format(
        sql.SQL(", ").join(sql.Identifier(column.name) for column in columns),
        sql.Identifier(table.name),
        sql.SQL(condition),  # of the code's own texts and of keys
        sql.SQL(", ").join(order),
    )


def copied_blocks(database: "psycopg.Connection[Any]", statement: sql.Composed) -> Iterator[bytes]:
    """What a ``copy_statement`` writes."""
    with psycopg.Cursor(database) as cursor, cursor.copy(statement) as copy:
        yield from map(bytes, copy)


def copy_sha256(
    database: "psycopg.Connection[Any]",
    table: ArchivedTable,
    columns: Sequence[Column],
    condition: str = "true",
) -> str:
    """The SHA-256 of rows, as an archive states it. Needs ``COPY_SETTINGS``."""
    digest = hashlib.sha256()
    for block in copied_blocks(database, copy_statement(table, columns, condition)):
        digest.update(block)
    return digest.hexdigest()


def fetch_from(database: "psycopg.Connection[Any]") -> Fetch:
    """Reads all rows of a query, in the transaction that is open there."""

    def fetch(query: str, arguments: Mapping[str, Any] | None = None, /) -> list[tuple[Any, ...]]:
        with psycopg.Cursor(database) as cursor:
            return cursor.execute(query.encode(), arguments).fetchall()

    return fetch

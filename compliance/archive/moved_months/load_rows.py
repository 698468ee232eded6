"""Loading archived rows into tables of the database."""

from pathlib import Path

import duckdb
import psycopg
from django.db import connection
from psycopg import sql

from compliance.archive.archive_list import TableEntry
from compliance.archive.archived_tables import ArchivedTable
from compliance.archive.copied_rows import copy_sha256, stored_columns
from compliance.archive.parquet import read_as_csv


class BadRows(Exception):
    """The rows, or the columns, are not those of the archive's list."""


class RowSource:
    """The files of an archive, read by DuckDB in a fixed amount of memory."""

    def __init__(self, duck: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self._duck, self._folder = duck, folder

    def load(self, entry: TableEntry, target: str) -> None:
        """Copies all rows of a table into ``target``. Raises BadRows."""
        stored = stored_columns(connection.connection, target)
        if missing := [it for it in entry.columns if it not in stored]:
            raise BadRows(
                f"{entry.name}: found no column {missing[0].name} of type {missing[0].type};"
                " needed those of the archive"
            )
        columns = sql.SQL(", ").join(sql.Identifier(it.name) for it in entry.columns)
        statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT csv)")
        try:
            with (
                psycopg.Cursor(connection.connection) as cursor,
                cursor.copy(statement.format(sql.Identifier(target), columns)) as copy,
            ):
                for file in entry.files:
                    for block in read_as_csv(self._duck, self._folder / file.name, entry.columns):
                        copy.write(block)
        except (psycopg.DataError, psycopg.IntegrityError, duckdb.Error) as error:
            raise BadRows(f"{entry.name}: {error}") from None

    def require_digest(self, entry: TableEntry, table: ArchivedTable) -> None:
        """Compares the rows of a stored table with the archive's list. Raises BadRows.

        ``table`` is that of the entry, by the name under which it is stored.
        """
        found = copy_sha256(connection.connection, table, entry.columns)
        if found != entry.copy_sha256:
            raise BadRows(
                f"{table.name}: found rows of SHA-256 {found}; needed {entry.copy_sha256}"
            )

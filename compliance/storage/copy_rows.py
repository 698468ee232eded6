"""Adding rows by COPY, the fastest way into PostgreSQL, in the current transaction."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

import psycopg
from django.db import connection, models
from psycopg import sql

_PORTION: Final = 1 << 17
"""Characters: enough to make a portion cheap, few enough for both sides to work in parallel."""


def copy_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Adds rows to a model's table, for a few rows at a time.

    ``columns`` are database column names. The database checks every constraint of the table.
    """
    with connection.wrap_database_errors, _cursor().copy(_command(model, columns)) as copy:
        for row in rows:
            copy.write_row(row)


def copy_lines(model: type[models.Model], columns: Sequence[str], blocks: Iterable[str]) -> None:
    """Adds rows that are formatted already: blocks of lines in COPY's text format.

    Values are separated by tabs, each line ends in a line feed, texts from outside go through
    ``escaped``. The database stores one portion while the next is being formatted.
    """
    waiting: list[str] = []
    size = 0
    with connection.wrap_database_errors, _cursor().copy(_command(model, columns)) as copy:
        for block in blocks:
            waiting.append(block)
            size += len(block)
            if size > _PORTION:
                copy.write("".join(waiting))
                waiting, size = [], 0
        copy.write("".join(waiting))


def _cursor() -> "psycopg.Cursor[Any]":
    connection.ensure_connection()
    return cast("psycopg.Cursor[Any]", connection.connection.cursor())


def _command(model: type[models.Model], columns: Sequence[str]) -> sql.Composed:
    return sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table),
        sql.SQL(", ").join(map(sql.Identifier, columns)),
    )

"""Tables to which rows are only ever added, guarded by the database and written by COPY.

PostgreSQL refuses UPDATE, DELETE and TRUNCATE on them, whoever asks: a mistake in our code, a
page, a console. A correction is a further row.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

import pgtrigger
import psycopg
from django.db import connection, models
from psycopg import sql


def append_only(prefix: str) -> list[pgtrigger.Trigger]:
    """The triggers that make a table append-only; ``prefix`` keeps their names apart.

    UPDATE and DELETE are guarded row by row, so that the guard is copied to every partition a
    table may get; this costs an INSERT nothing.
    """
    return [
        pgtrigger.Protect(name=f"{prefix}_no_update", operation=pgtrigger.Update),
        pgtrigger.Protect(name=f"{prefix}_no_delete", operation=pgtrigger.Delete),
        pgtrigger.Trigger(
            name=f"{prefix}_no_truncate",
            operation=pgtrigger.Truncate,
            when=pgtrigger.Before,
            level=pgtrigger.Statement,
            func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
        ),
    ]


def copy_rows(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Adds rows to a model's table by COPY, in the current transaction.

    ``columns`` are database column names. The database checks every constraint of the table.
    """
    command = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table),  # noqa: SLF001  Django documents _meta as public
        sql.SQL(", ").join(map(sql.Identifier, columns)),
    )
    with connection.cursor() as django_cursor:
        cursor = cast("psycopg.Cursor[Any]", django_cursor.cursor)
        # Django's own exceptions, as from any other statement
        with connection.wrap_database_errors, cursor.copy(command) as copy:
            for row in rows:
                copy.write_row(row)

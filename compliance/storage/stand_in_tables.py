"""Tables of other rows in the place of the database's, for queries that must not change.

A temporary table is found before the table of the same name, so the queries of a page read rows
that came from elsewhere as they read those of the database.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import connection, transaction
from psycopg import sql


class StandIn(NamedTuple):
    """The rows that a table has meanwhile. Columns that the table lacks are left out."""

    table: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]
    """Values as psycopg writes them; texts also for arrays and JSON, as PostgreSQL writes them."""


@contextmanager
def stand_in_tables(stand_ins: Iterable[StandIn]) -> Iterator[None]:
    """Within the block, each of these tables has these rows and no others.

    It only reads: PostgreSQL refuses every change of the database, and forgets the rows at the end.
    Functions of the database, and connections of others, find the tables as they are. Read what a
    page needs before the block ends; a query set that is evaluated later reads the database.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            for stand_in in stand_ins:
                _create(cursor, stand_in)
            # Prepared statements would keep to the tables that they were planned for.
            cursor.execute("DISCARD PLANS")
            cursor.execute("SET LOCAL transaction_read_only = on")
        yield
        transaction.set_rollback(True)


def _create(cursor: Any, stand_in: StandIn) -> None:
    table = sql.Identifier("pg_temp", stand_in.table)
    model = sql.Identifier("public", stand_in.table)
    create = sql.SQL("CREATE TEMPORARY TABLE {} (LIKE {} INCLUDING DEFAULTS) ON COMMIT DROP")
    cursor.execute(create.format(table, model))
    cursor.execute(sql.SQL("SELECT * FROM {} LIMIT 0").format(table))
    present = {column.name for column in cursor.description}
    places = [place for place, name in enumerate(stand_in.columns) if name in present]
    columns = [sql.Identifier(stand_in.columns[place]) for place in places]
    copying = sql.SQL("COPY {} ({}) FROM STDIN").format(table, sql.SQL(", ").join(columns))
    with cursor.copy(copying) as copy:
        for row in stand_in.rows:
            copy.write_row([row[place] for place in places])

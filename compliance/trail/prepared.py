"""Statements that are asked again and again: PostgreSQL reads and plans each once a connection.

Of a statement that finds a few rows by their key in a table cut by month, planning is the dearest
part by far. Whoever sends one says each value as a parameter, so that the text stays the same. The
options in ``casino.databases`` let connections keep them; without those they are planned each time,
with the same answers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Generic, TypeVar, cast

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

_Row = TypeVar("_Row", bound=models.Model)
_Answer = TypeVar("_Answer")
Rows = list[tuple[Any, ...]]
Values = Sequence[Any] | Mapping[str, Any]


class Pending(Generic[_Answer]):
    """A statement that was sent, and how its rows are read."""

    def __init__(self, cursor: "psycopg.Cursor[Any]", read: Callable[[Rows], _Answer]) -> None:
        self._cursor, self._read = cursor, read

    def answer(self) -> _Answer:
        """What was asked for; of what is asked ``together``, once that block has ended."""
        with connections[DEFAULT_DB_ALIAS].wrap_database_errors, self._cursor as cursor:
            return self._read(cursor.fetchall())


def ask(statement: str, values: Values, read: Callable[[Rows], _Answer]) -> Pending[_Answer]:
    """Sends a statement that gives rows, in the current transaction."""
    return Pending(_sent(statement, values), read)


@contextmanager
def together() -> Iterator[None]:
    """What is asked inside this block is sent at once and answered for one round trip."""
    ours = connections[DEFAULT_DB_ALIAS]
    with ours.wrap_database_errors, _connected(ours).pipeline():
        yield


def rows_of(statement: str, values: Values) -> Rows:
    """The rows that a statement gives, in the current transaction."""
    return ask(statement, values, lambda rows: rows).answer()


def first_rows_of(statement: str, values: Values) -> Rows:
    """The same of a statement that only reads, where it is the first of a call.

    A connection that was lost since the last call is found out by this statement, which is asked
    again on a new one. Django would ask `SELECT 1` first, and every call would wait for that, too.
    """
    ours = cast("Any", connections[DEFAULT_DB_ALIAS])  # types know nothing of the check
    if ours.connection is None or not ours.health_check_enabled or ours.health_check_done:
        return rows_of(statement, values)
    with ours.wrap_database_errors:
        try:
            with _execute(ours.connection, statement, values) as cursor:
                rows = cursor.fetchall()
            ours.health_check_done = True
        except psycopg.OperationalError:
            if not ours.connection.closed:
                raise
            ours.close()
    return rows if ours.health_check_done else rows_of(statement, values)


def carry_out(statement: str, values: Values) -> None:
    """Carries out a statement that gives no rows, in the current transaction."""
    _sent(statement, values).close()


def _sent(statement: str, values: Values) -> "psycopg.Cursor[Any]":
    ours = connections[DEFAULT_DB_ALIAS]  # looked up once: each use of `connection` does it again
    with ours.wrap_database_errors:
        return _execute(_connected(ours), statement, values)


def _execute(
    connected: "psycopg.Connection[Any]", statement: str, values: Values
) -> "psycopg.Cursor[Any]":
    return psycopg.Cursor(connected).execute(cast("Any", statement), values, prepare=True)


def _connected(ours: BaseDatabaseWrapper) -> "psycopg.Connection[Any]":
    ours.close_if_health_check_failed()
    ours.ensure_connection()
    return cast("psycopg.Connection[Any]", ours.connection)


class Prepared(Generic[_Row]):
    """Rows of a model by such a statement.

    ``rest`` is all behind FROM, where the model's table is called ``one``. ``related`` names a
    foreign key whose row is read along, by the name ``other``.
    """

    def __init__(self, model: type[_Row], rest: str, *, related: str | None = None) -> None:
        self._own = _Columns(model)
        self._related = None if related is None else cast("Any", model._meta.get_field(related))  # noqa: SLF001
        select, source = self._own.select("one"), f"{self._own.table} AS one"
        if self._related is not None:
            self._other = _Columns(self._related.related_model)
            select = f"{select}, {self._other.select('other')}"
            join = f"JOIN {self._other.table} AS other ON other.id = one.{self._related.column}"
            source = f"{source} {join}"
        self._statement: Final = f"SELECT {select} FROM {source} {rest}"  # noqa: S608  our own names

    def ask(self, *values: Any) -> Pending[list[_Row]]:  # noqa: ANN401  of any type
        """Asks for those that there are for these values."""
        return ask(self._statement, values, lambda rows: [self._made(row) for row in rows])

    def first(self, *values: Any) -> _Row | None:  # noqa: ANN401  as above
        """The first of them, if there is one."""
        return next(iter(self.ask(*values).answer()), None)

    def _made(self, row: tuple[Any, ...]) -> _Row:
        size = len(self._own.names)
        made = cast("_Row", self._own.made(row[:size]))
        if self._related is not None:
            self._related.set_cached_value(made, self._other.made(row[size:]))
        return made


class _Columns:
    """The columns of a model's table, and how a row of them becomes an instance."""

    def __init__(self, model: type[models.Model]) -> None:
        fields = model._meta.concrete_fields  # noqa: SLF001  Django documents _meta as public
        self.table: Final = model._meta.db_table  # noqa: SLF001  as above
        self.names: Final = [field.attname for field in fields]
        self._model, self._columns = model, [field.column for field in fields]
        self._converted: Final = [
            (place, convert)
            for place, field in enumerate(fields)
            for convert in field.get_db_converters(connection)
        ]

    def select(self, name: str) -> str:
        """The columns of the table that is called so."""
        return ", ".join(f'{name}."{column}"' for column in self._columns)

    def made(self, row: Sequence[Any]) -> models.Model:
        """The instance."""
        values, ours = list(row), connections[DEFAULT_DB_ALIAS]
        for place, convert in self._converted:
            values[place] = convert(values[place], None, ours)
        return self._model.from_db(DEFAULT_DB_ALIAS, self.names, values)

"""Prepared statements: PostgreSQL parses and plans each once for a connection.

Planning is by far the most expensive part of a statement that finds a few rows by key in a
partitioned table. Values must be parameters, so that the text stays the same. The options in
``casino.databases`` make connections keep the plans; without them the results are the same.
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


class PendingResult(Generic[_Answer]):
    """The result of a statement that was sent and not read yet."""

    def __init__(self, cursor: "psycopg.Cursor[Any]", read: Callable[[Rows], _Answer]) -> None:
        self._cursor, self._read = cursor, read

    def answer(self) -> _Answer:
        """The result. Inside ``pipelined``, call it after the block has ended."""
        with connections[DEFAULT_DB_ALIAS].wrap_database_errors, self._cursor as cursor:
            return self._read(cursor.fetchall())


def send_query(
    statement: str, values: Values, read: Callable[[Rows], _Answer]
) -> PendingResult[_Answer]:
    """Sends a statement that returns rows, in the current transaction."""
    return PendingResult(_sent(statement, values), read)


@contextmanager
def pipelined() -> Iterator[None]:
    """Sends the statements of this block together, for one round trip (pipeline mode)."""
    wrapper = connections[DEFAULT_DB_ALIAS]
    with wrapper.wrap_database_errors, _connected(wrapper).pipeline():
        yield


def fetch_rows(statement: str, values: Values) -> Rows:
    """The rows of a statement, in the current transaction."""
    return send_query(statement, values, lambda rows: rows).answer()


def fetch_rows_after_idle(statement: str, values: Values) -> Rows:
    """The rows of a statement that only reads and is the first of a request.

    It replaces Django's health check (`SELECT 1`), for which every request would wait: if the
    connection was lost since the last request, the statement is repeated on a new one.
    """
    wrapper = cast("Any", connections[DEFAULT_DB_ALIAS])  # the type stubs lack the check
    if wrapper.connection is None or not wrapper.health_check_enabled or wrapper.health_check_done:
        return fetch_rows(statement, values)
    with wrapper.wrap_database_errors:
        try:
            with _execute(wrapper, statement, values) as cursor:
                rows = cursor.fetchall()
            wrapper.health_check_done = True
        except psycopg.OperationalError:
            if not wrapper.connection.closed:
                raise
            wrapper.close()
    return rows if wrapper.health_check_done else fetch_rows(statement, values)


def execute_prepared(statement: str, values: Values) -> None:
    """Executes a statement that returns no rows, in the current transaction."""
    _sent(statement, values).close()


def _sent(statement: str, values: Values) -> "psycopg.Cursor[Any]":
    wrapper = connections[
        DEFAULT_DB_ALIAS
    ]  # looked up once: each use of `connection` does it again
    with wrapper.wrap_database_errors:
        _connected(wrapper)
        return _execute(wrapper, statement, values)


def _execute(wrapper: BaseDatabaseWrapper, statement: str, values: Values) -> "psycopg.Cursor[Any]":
    """Executes it on the open connection, prepared unless that leads to a pool.

    Only now the connection prepares statements: otherwise psycopg would keep the last hundred of
    Django's, with their values, which have megabytes where a part of a file is stored.
    """
    connected = cast("psycopg.Connection[Any]", wrapper.connection)
    is_pooled = wrapper.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS")
    connected.prepare_threshold = None if is_pooled else 0
    try:
        return psycopg.Cursor(connected).execute(cast("Any", statement), values, prepare=True)
    finally:
        connected.prepare_threshold = None


def _connected(wrapper: BaseDatabaseWrapper) -> "psycopg.Connection[Any]":
    wrapper.close_if_health_check_failed()
    wrapper.ensure_connection()
    return cast("psycopg.Connection[Any]", wrapper.connection)


class PreparedQuery(Generic[_Row]):
    """A prepared statement that returns instances of a model.

    ``rest`` follows FROM; the model's table has the alias ``base``. ``related`` is a foreign key
    whose row is joined, with the alias ``joined``.
    """

    def __init__(self, model: type[_Row], rest: str, *, related: str | None = None) -> None:
        self._base = _Columns(model)
        self._related = None if related is None else cast("Any", model._meta.get_field(related))
        select, source = self._base.select("base"), f"{self._base.table} AS base"
        if self._related is not None:
            self._joined = _Columns(self._related.related_model)
            select = f"{select}, {self._joined.select('joined')}"
            join = f"JOIN {self._joined.table} AS joined ON joined.id = base.{self._related.column}"
            source = f"{source} {join}"
        self._statement: Final = f"SELECT {select} FROM {source} {rest}"

    def send_query(self, *values: Any) -> PendingResult[list[_Row]]:
        """Sends the statement with these values."""
        return send_query(self._statement, values, lambda rows: list(map(self._instance, rows)))

    def first(self, *values: Any) -> _Row | None:
        """The first instance for these values; None if there is none."""
        return next(iter(self.send_query(*values).answer()), None)

    def _instance(self, row: tuple[Any, ...]) -> _Row:
        size = len(self._base.names)
        instance = cast("_Row", self._base.instance(row[:size]))
        if self._related is not None:
            self._related.set_cached_value(instance, self._joined.instance(row[size:]))
        return instance


class _Columns:
    """The columns of a model's table, and the conversion of a row to an instance."""

    def __init__(self, model: type[models.Model]) -> None:
        fields = model._meta.concrete_fields
        self.table: Final = model._meta.db_table
        self.names: Final = [field.attname for field in fields]
        self._model, self._columns = model, [field.column for field in fields]
        self._converted: Final = [
            (place, convert)
            for place, field in enumerate(fields)
            for convert in field.get_db_converters(connection)
        ]

    def select(self, name: str) -> str:
        """The columns of the table with this alias, for SELECT."""
        return ", ".join(f'{name}."{column}"' for column in self._columns)

    def instance(self, row: Sequence[Any]) -> models.Model:
        """The instance of a row."""
        values, wrapper = list(row), connections[DEFAULT_DB_ALIAS]
        for place, convert in self._converted:
            values[place] = convert(values[place], None, wrapper)
        return self._model.from_db(DEFAULT_DB_ALIAS, self.names, values)

"""Fills a database with months of rounds by copying settled rounds inside PostgreSQL.

Every copy has its own ids, references, shoes, sessions, participations and time, so keys, indexes
and partitions grow realistically. Balances and totals do not change: the database is for timing,
not for reconciliation. Tables come from the models, columns from the catalogue.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from itertools import count
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.db import connection, transaction
from django.db.models import Min
from django.utils import timezone

from compliance.storage.partitions import Month, make_months, months_between, partitioned_tables
from rounds.models import Bet, Round

MONTHS: Final = 6
"""The copies lie in so many months before the rounds that they are copied from."""
_SPAN: Final = timedelta(days=30) * MONTHS
_WRITERS: Final = 2
_MILLISECOND: Final = timedelta(milliseconds=1)
_ORIGINALS: Final = "copied_from"
"""A schema that keeps the rows to be copied apart, so that no copy searches among all others."""

_COLUMNS: Final = """
    SELECT attname, format_type(atttypid, NULL)
      FROM pg_attribute
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped
       AND attidentity = '' AND attgenerated = ''
       AND coalesce(pg_get_expr(adbin, adrelid) NOT LIKE 'nextval%%', true)
     ORDER BY attnum
"""
# The time of a version 7 UUID is its first twelve digits, in milliseconds. What follows stays, so
# no two copies have an id in common as long as they are moved by different times.
_MOVED: Final = """
    (lpad(to_hex(('x' || left(replace({0}::text, '-', ''), 12))::bit(48)::bigint
                 + %(milliseconds)s), 12, '0')
     || substr(replace({0}::text, '-', ''), 13))::uuid
"""
_DAY_OF_PLAY: Final = """
    (to_timestamp((('x' || left(replace({0}::text, '-', ''), 12))::bit(48)::bigint
                   + %(milliseconds)s) / 1000.0) AT TIME ZONE 'Europe/Rome')::date
"""
_SCATTERED: Final = (
    "left({0}, 1)"
    " || lpad((abs(hashtextextended({0}, %(copy)s)) %% 1000000000000000)::text, 15, '0')"
)
_NAMED: Final = "{0} || '~' || %(copy)s"
_BY_NAME: Final = {
    "arrival": "nextval('rounds_arrival')",
    "shoe": _NAMED,
    "reference": _NAMED,
    "subject": _NAMED,
    "session": _SCATTERED,
    "participation": _SCATTERED,
}
_BY_TYPE: Final = {
    "timestamp with time zone": "{0} + %(shift)s",
    "date": "({0} + %(shift)s)::date",
}


class _Table(NamedTuple):
    """A table that is copied, and its column with the id of a round or with one of that form."""

    name: str
    key: str


class Stored:
    """The database of Django's connection, whose rounds are all settled."""

    def __init__(self, *, span: timedelta = _SPAN) -> None:
        self._span = span
        """Of the time before the rounds that are copied, in which the copies lie."""
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {_ORIGINALS}")
            for table in _tables():
                original = f"{_ORIGINALS}.{table.name}"
                cursor.execute(f"CREATE UNLOGGED TABLE {original} AS SELECT * FROM {table.name}")
        self._bets_a_copy = Bet.objects.count()
        self._copies: list[timedelta] = []
        self.bets = self._bets_a_copy
        """How many are stored, those not counted that came by other ways since."""
        _make_months()

    def fill(self, *, bets: int) -> None:
        """Adds copies until at least so many bets are stored; then the tables are tidied up."""
        first = len(self._copies) + 1
        shifts = list(self._next_shifts(-(-(bets - self.bets) // self._bets_a_copy)))
        with ThreadPoolExecutor(_WRITERS) as writers:
            list(writers.map(_copy_all, count(first), shifts))
        self._copies += shifts
        self.bets += self._bets_a_copy * len(shifts)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM (ANALYZE)")
            cursor.execute("CHECKPOINT")

    def _next_shifts(self, copies: int) -> Iterator[timedelta]:
        """Where in time the next copies go: evenly over the months, never twice to one place."""
        for number in range(copies, 0, -1):
            shift = -(self._span * number // copies // _MILLISECOND) * _MILLISECOND
            while shift in self._copies:
                shift += timedelta(seconds=1)
            yield shift


def _copy_all(copy: int, shift: timedelta) -> None:
    """One more copy of everything, by a connection of the thread's own."""
    with closing(connection):
        _copy_in_one_transaction(copy, shift)


def _copy_in_one_transaction(copy: int, shift: timedelta) -> None:
    """Triggers and foreign keys do not look."""
    values: dict[str, Any] = {
        "copy": copy,
        "shift": shift,
        "milliseconds": shift // _MILLISECOND,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute("SET LOCAL synchronous_commit = off")
        for table in _tables():
            cursor.execute(_copying(table), values)


def _tables() -> Iterator[_Table]:
    """Those that are cut by month, and those that name a round beside them."""
    for model in apps.get_models():
        columns = {field.column for field in model._meta.concrete_fields}
        key = getattr(model, "partition_key", "round_id")
        if key in columns and not model._meta.proxy:
            yield _Table(model._meta.db_table, key)


def _copying(table: _Table) -> str:
    """The statement that adds the copies of a table's rows, in the order of the new keys."""
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS, [table.name])
        values = {name: _value(table, name, kind) for name, kind in cursor.fetchall()}
    columns = ", ".join(f'"{name}"' for name in values)
    return f"""
        INSERT INTO {table.name} ({columns})
        SELECT {", ".join(values.values())}
          FROM {_ORIGINALS}.{table.name} AS row
         ORDER BY row.{table.key}
    """


def _value(table: _Table, column: str, kind: str) -> str:
    """What stands in a column of a copy, as SQL over the row that is copied."""
    if column == "booked_on":
        return _DAY_OF_PLAY.format(f'row."{table.key}"')
    expression = _MOVED if column == table.key else _BY_NAME.get(column, _BY_TYPE.get(kind, "{0}"))
    return expression.format(f'row."{column}"')


def _make_months() -> None:
    """Partitions for all the time in which copies will lie."""
    earliest = Round.objects.aggregate(earliest=Min("opened_at"))["earliest"]
    first, last = min(earliest, timezone.now()) - _SPAN, timezone.now()
    months = list(months_between(Month(first.year, first.month), Month(last.year, last.month)))
    for table in partitioned_tables():
        make_months(table, months)

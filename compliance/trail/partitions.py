"""Big tables cut by the month: PostgreSQL keeps each month of such a table as a table of its own.

A model whose table is cut says so by ``partition_key``, the column of a version 7 UUID. The first
48 bits of such an id are milliseconds since 1970, so a month is a range of keys. Months are made
ahead, by migrations and by a daily task; what lies outside of them (a clock that stood in 1970, an
import of old years) goes to a default partition and is as safe there. Nothing is ever dropped:
five years are kept, and more.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.apps import apps
from django.db import connection, transaction
from django.db.utils import IntegrityError, OperationalError

MONTHS_BACK: Final = 2
MONTHS_AHEAD: Final = 6

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_NAME: Final = re.compile(r"_(?P<year>[0-9]{4})_(?P<month>[0-9]{2})$")
_PARTITIONS: Final = """
    SELECT part.relname
      FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid
     WHERE inhparent = to_regclass(%s)
     ORDER BY part.relname
"""
_GUARDS: Final = """
    SELECT trigger.tgname, function.oid::regproc::text
      FROM pg_trigger AS trigger JOIN pg_proc AS function ON function.oid = trigger.tgfoid
     WHERE trigger.tgrelid = to_regclass(%s)
       AND NOT trigger.tgisinternal AND trigger.tgtype & 32 <> 0
"""


class Month(NamedTuple):
    """A calendar month in UTC."""

    year: int
    month: int

    def plus(self, months: int) -> "Month":
        """So many months later; earlier where it is negative."""
        year, month = divmod(self.year * 12 + self.month - 1 + months, 12)
        return Month(year, month + 1)

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02}"

    @property
    def first_key(self) -> UUID:
        """No version 7 UUID of this month or later is smaller."""
        start = datetime(self.year, self.month, 1, tzinfo=UTC)
        return UUID(int=((start - _EPOCH) // _MILLISECOND) << 80)


def months_between(first: Month, last: Month) -> Iterator[Month]:
    """Every month from the first to the last, both included."""
    while first <= last:
        yield first
        first = first.plus(1)


def months_around(day: date) -> Iterator[Month]:
    """The months that are made ahead on this day."""
    now = Month(day.year, day.month)
    return months_between(now.plus(-MONTHS_BACK), now.plus(MONTHS_AHEAD))


def cut_tables() -> list[str]:
    """The names of all tables that are cut by month."""
    return sorted(
        model._meta.db_table  # noqa: SLF001  Django documents _meta as public
        for model in apps.get_models()
        if hasattr(model, "partition_key")
    )


def months_of(table: str) -> list[Month]:
    """The months that a table has a partition for."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTITIONS, [table])
        names = [_NAME.search(name) for (name,) in cursor.fetchall()]
    return [Month(int(name["year"]), int(name["month"])) for name in names if name]


def make_months(table: str, months: Iterable[Month]) -> list[Month]:
    """Makes the partitions that are missing, each in a transaction; gives those it made.

    A month of which the default partition holds rows already cannot be made any more; its rows
    stay there. Nor can one while somebody keeps the table locked; the next call tries again.
    """
    there = set(months_of(table))
    return [
        month
        for month in months
        if month not in there and _make(table, f"{table}_{month.year}_{month.month:02}", month)
    ]


def make_all_months(months: Iterable[Month]) -> dict[str, list[Month]]:
    """Makes these months of every table that is cut; gives, by table, those that were missing."""
    wanted = list(months)
    return {table: make_months(table, wanted) for table in cut_tables()}


def rows_outside(table: str) -> int:
    """How many rows a table has that belong to none of its months, counted one by one."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}_other")  # noqa: S608  our own names
        [count] = cursor.fetchone()
    return int(count)


def _make(table: str, name: str, month: Month) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '5s'")
            cursor.execute(
                f"CREATE TABLE {name} PARTITION OF {table}"
                f" FOR VALUES FROM ('{month.first_key}') TO ('{month.plus(1).first_key}')"
            )
            _guard(table, name)
    except (IntegrityError, OperationalError):
        return False
    return True


def guard_partitions(table: str) -> None:
    """Gives every partition the guards against TRUNCATE; other triggers it inherits."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTITIONS, [table])
        for (partition,) in cursor.fetchall():
            _guard(table, partition)


def _guard(table: str, partition: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_GUARDS, [table])
        for name, function in cursor.fetchall():
            cursor.execute(
                f"CREATE OR REPLACE TRIGGER {name} BEFORE TRUNCATE ON {partition}"
                f" FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
            )

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
_GUARD_ALL: Final = """
    SELECT trail_guard_partition(%s, inhrelid::regclass::text)
      FROM pg_inherits WHERE inhparent = to_regclass(%s)
"""
_MAKE: Final = "SELECT trail_make_partition(%s, %s, %s, %s, %s)"
MAKE_PARTITION: Final = r"""
    CREATE OR REPLACE FUNCTION trail_guard_partition(parent text, part text)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    DECLARE
        guard record;
    BEGIN
        FOR guard IN
            SELECT tgname, tgfoid::regproc::text AS function FROM pg_trigger
             WHERE tgrelid = to_regclass(parent) AND NOT tgisinternal AND tgtype & 32 <> 0
        LOOP
            EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE TRUNCATE ON %I'
                           ' FOR EACH STATEMENT EXECUTE FUNCTION %s()',
                           guard.tgname, part, guard.function);
        END LOOP;
    END $$;
    CREATE OR REPLACE FUNCTION trail_make_partition(
        parent text, year int, month int, first uuid, last uuid)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    DECLARE
        part text := parent || to_char(year, '"_"FM0000') || to_char(month, '"_"FM00');
    BEGIN
        IF NOT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = to_regclass(parent)) THEN
            RAISE EXCEPTION 'found table %; needed one that is cut by month', parent;
        END IF;
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                       part, parent, first, last);
        PERFORM trail_guard_partition(parent, part);
    END $$;
    REVOKE ALL ON FUNCTION trail_guard_partition, trail_make_partition FROM PUBLIC
"""
"""Functions: one makes a month of a table that is cut, the other gives a part the guards against
TRUNCATE that its table has (other triggers it inherits).

They have the rights of the tables' owner, so that who may only add rows may have the next month
made.
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
    return [month for month in months if month not in there and _make(table, month)]


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


def _make(table: str, month: Month) -> bool:
    ends = month.first_key, month.plus(1).first_key
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '5s'")
            cursor.execute(_MAKE, [table, *month, *ends])
    except (IntegrityError, OperationalError):
        return False
    return True


def guard_partitions(table: str) -> None:
    """Gives every partition the guards against TRUNCATE; other triggers it inherits."""
    with connection.cursor() as cursor:
        cursor.execute(_GUARD_ALL, [table, table])

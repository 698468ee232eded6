"""Big tables, partitioned by month.

A model declares it by ``partition_key``, the column of a version 7 UUID. The first 48 bits of such
an id are milliseconds since 1970, so a month is a range of keys. Migrations and a daily task create
partitions ahead. Rows outside of all months (a wrong clock, an import of old years) go to a default
partition. No partition is ever dropped.
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
MONTHS_AHEAD: Final = 3

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_TIME_ORDERED: Final = 7
"""The version of UUIDs that begin with a time."""
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
_MAKE: Final = "SELECT trail_make_partition(%s, %s, %s)"
MAKE_PARTITION: Final = r"""
    CREATE OR REPLACE FUNCTION trail_guard_partition(parent text, part text)
    RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
    DECLARE
        guard record;
    BEGIN
        IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = to_regclass(parent)
                                                 AND inhrelid = to_regclass(part)) THEN
            RAISE EXCEPTION 'found table %; needed a month of %', part, parent;
        END IF;
        FOR guard IN
            SELECT tgname, tgfoid::regproc::text AS function FROM pg_trigger
             WHERE tgrelid = to_regclass(parent) AND NOT tgisinternal AND tgtype & 32 <> 0
        LOOP
            EXECUTE format('CREATE OR REPLACE TRIGGER %I BEFORE TRUNCATE ON public.%I'
                           ' FOR EACH STATEMENT EXECUTE FUNCTION %s()',
                           guard.tgname, part, guard.function);
        END LOOP;
    END $$;
    CREATE OR REPLACE FUNCTION trail_make_partition(parent text, year int, month int)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
    DECLARE
        part text := parent || to_char(year, '"_"FM0000') || to_char(month, '"_"FM00');
        ends uuid[];
    BEGIN
        IF NOT EXISTS (SELECT FROM pg_partitioned_table JOIN pg_class ON oid = partrelid
                        WHERE relname = parent AND relnamespace = 'public'::regnamespace
                          AND pg_get_userbyid(relowner) = current_user) THEN
            RAISE EXCEPTION 'found table %; needed one that is cut by month', parent;
        END IF;
        IF year NOT BETWEEN 1970 AND 9999 OR month NOT BETWEEN 1 AND 12 THEN
            RAISE EXCEPTION 'found month %-%; needed one from 1970-1 to 9999-12', year, month;
        END IF;
        -- No version 7 UUID of the month is smaller than the first, none of it reaches the second.
        SELECT array_agg(rpad(lpad(to_hex(milliseconds), 12, '0'), 32, '0')::uuid ORDER BY 1)
          INTO ends
          FROM (SELECT (extract(epoch FROM make_timestamp(year, month, 1, 0, 0, 0)
                                + after * interval '1 month') * 1000)::bigint
                  FROM generate_series(0, 1) AS after) AS month (milliseconds);
        EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)',
                       part, parent, ends[1], ends[2]);
        PERFORM trail_guard_partition(parent, part);
    END $$;
    REVOKE ALL ON FUNCTION trail_guard_partition, trail_make_partition FROM PUBLIC
"""
"""Two functions: one creates the partition of a month, the other gives a partition the TRUNCATE
triggers of its table (partitions inherit all others).

The first runs with the rights of the tables' owner (SECURITY DEFINER), so that the application's
role can create months of partitioned tables and nothing else. The second runs with the rights of
its caller: it replaces triggers, which only the owner may do.
"""


class Month(NamedTuple):
    """A calendar month in UTC."""

    year: int
    month: int

    def plus(self, months: int) -> "Month":
        """The month so many months later, or earlier if negative."""
        year, month = divmod(self.year * 12 + self.month - 1 + months, 12)
        return Month(year, month + 1)

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02}"

    @property
    def first_key(self) -> UUID:
        """The smallest version 7 UUID of this month."""
        start = datetime(self.year, self.month, 1, tzinfo=UTC)
        return UUID(int=((start - _EPOCH) // _MILLISECOND) << 80)


def month_of_key(key: UUID) -> Month | None:
    """The month of a version 7 UUID; None for another UUID, and after the year 9999."""
    if key.version != _TIME_ORDERED:
        return None
    try:
        start = _EPOCH + (key.int >> 80) * _MILLISECOND
    except OverflowError:
        return None
    return Month(start.year, start.month)


def months_between(first: Month, last: Month) -> Iterator[Month]:
    """Every month from the first to the last, both included."""
    while first <= last:
        yield first
        first = first.plus(1)


def months_around(day: date) -> Iterator[Month]:
    """The months that must have a partition on this day."""
    now = Month(day.year, day.month)
    return months_between(now.plus(-MONTHS_BACK), now.plus(MONTHS_AHEAD))


def partitioned_tables() -> list[str]:
    """The names of all partitioned tables."""
    return sorted(
        model._meta.db_table
        for model in apps.get_models()
        if hasattr(model, "partition_key") and not model._meta.proxy
    )


def months_of(table: str) -> list[Month]:
    """The months for which a table has a partition."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTITIONS, [table])
        names = [_NAME.search(name) for (name,) in cursor.fetchall()]
    return [Month(int(name["year"]), int(name["month"])) for name in names if name]


def make_months(table: str, months: Iterable[Month]) -> list[Month]:
    """Creates missing partitions, each in a transaction; returns the new ones.

    A month whose rows are already in the default partition cannot get a partition. A locked table
    is skipped; the next call tries again.
    """
    existing = set(months_of(table))
    return [month for month in months if month not in existing and _make(table, month)]


def make_all_months(months: Iterable[Month]) -> dict[str, list[Month]]:
    """Creates missing partitions of every partitioned table; returns the new months by table."""
    all_months = list(months)
    return {table: make_months(table, all_months) for table in partitioned_tables()}


def rows_outside(table: str) -> int:
    """The number of rows in a table's default partition; counts them all."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}_other")
        [count] = cursor.fetchone()
    return int(count)


def _make(table: str, month: Month) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '5s'")
            cursor.execute(_MAKE, [table, *month])
    except (IntegrityError, OperationalError):
        return False
    return True


def protect_partitions(table: str) -> None:
    """Gives every partition the TRUNCATE triggers of its table; it inherits all others."""
    with connection.cursor() as cursor:
        cursor.execute(_GUARD_ALL, [table, table])

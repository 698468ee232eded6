"""Months outside of their tables: partitions that are detached, made apart, and attached.

A month that is made apart is a table of its own until it is attached: no trigger runs for its
rows, and nobody else sees it. All of it needs the owner of the tables, and a transaction.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Final

from django.db import connection
from psycopg import sql

from compliance.storage.partitions import Month

_STATE: Final = """
    SELECT relkind, relpersistence, relispartition, coalesce(inhparent = to_regclass(%s), false)
      FROM pg_class LEFT JOIN pg_inherits ON inhrelid = oid
     WHERE oid = to_regclass(%s)
"""
_OWNER: Final = (
    "SELECT pg_get_userbyid(relowner), current_user FROM pg_class WHERE oid = %s::regclass"
)
_GUARD: Final = "SELECT trail_guard_partition(%s, %s)"
_MAKE: Final = "CREATE TABLE public.{part} (LIKE public.{table} INCLUDING ALL)"
# The bounds are known to hold before the month is attached: the lock on its table is short.
_BOUND: Final = """
    ALTER TABLE public.{part} ADD CONSTRAINT of_month
    CHECK ({key} IS NOT NULL AND {key} >= {first} AND {key} < {end})
"""
_ATTACH: Final = """
    ALTER TABLE public.{table} ATTACH PARTITION public.{part} FOR VALUES FROM ({first}) TO ({end})
"""
_UNBOUND: Final = "ALTER TABLE public.{part} DROP CONSTRAINT of_month"
_DETACH: Final = "ALTER TABLE public.{table} DETACH PARTITION public.{part}"
_LOCK: Final = "LOCK TABLE public.{part} IN SHARE MODE"
_ORDINARY: Final = ("r", "p")
"""The kind and the persistence of an ordinary, permanent table."""


class PartState(StrEnum):
    """Where the month of a table is."""

    ATTACHED = "attached"
    DETACHED = "detached"
    """A table of the name exists, on its own."""
    MISSING = "missing"
    OTHER = "something else"
    """The name is that of something that cannot be a month of the table."""


class NotOwner(Exception):
    """The role of this process does not own the tables."""


def part_name(table: str, month: Month) -> str:
    """The name of the partition of a month."""
    return f"{table}_{month.year:04}_{month.month:02}"


def part_state(table: str, month: Month) -> PartState:
    """Where the month of a table is."""
    row = _first_row(_STATE, [f"public.{table}", f"public.{part_name(table, month)}"])
    if row is None:
        return PartState.MISSING
    kind, persistence, is_part, is_ours = row
    if is_ours:
        return PartState.ATTACHED
    return PartState.OTHER if is_part or (kind, persistence) != _ORDINARY else PartState.DETACHED


def require_owner(table: str) -> None:
    """Raises NotOwner unless the role of the connection owns the table."""
    owner, role = _first_row(_OWNER, [f"public.{table}"]) or ("", "")
    if owner != role:
        raise NotOwner(f"role: found {role}; needed {owner}, the owner of the tables")


def make_part(table: str, month: Month) -> None:
    """Creates the month of a table apart from it: empty, with its columns, checks and indexes."""
    _run(_MAKE, table, month)


def lock_part(table: str, month: Month) -> None:
    """Keeps the rows of a month as they are until the end of the transaction."""
    _run(_LOCK, table, month)


def attach_part(table: str, key: str, month: Month) -> None:
    """Attaches the month to its table, with all triggers, references and guards.

    ``key`` is the column that says the month. Raises IntegrityError for rows of another month, in
    it or in the default partition.
    """
    for statement in (_BOUND, _ATTACH, _UNBOUND):
        _run(statement, table, month, key)
    _first_row(_GUARD, [table, part_name(table, month)])


def detach_parts(tables: Iterable[str], month: Month) -> None:
    """Detaches the month from these tables. Its rows stay in tables of their own."""
    for table in tables:
        _run(_DETACH, table, month)


def _run(statement: str, table: str, month: Month, key: str = "") -> None:
    composed = sql.SQL(statement).format(
        table=sql.Identifier(table),
        part=sql.Identifier(part_name(table, month)),
        key=sql.Identifier(key) if key else sql.SQL(""),
        first=sql.Literal(str(month.first_key)),
        end=sql.Literal(str(month.plus(1).first_key)),
    )
    with connection.cursor() as cursor:
        cursor.execute(composed)


def _first_row(query: str, values: list[Any]) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row

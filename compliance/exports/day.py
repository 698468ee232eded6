"""The day that is exported, and the snapshot of the database that its registers come from."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, NamedTuple, cast

import psycopg
from django.db import connections, transaction

from rounds.rules.catalogue import RULE_SETS

_SPAN: Final = """
    SELECT min(round.id::text), max(round.id::text)
      FROM rounds_round AS round WHERE round.booked_on = %(day)s
"""
_NOWHERE: Final = "00000000-0000-0000-0000-000000000000"
GAMES: Final = tuple(sorted({name.partition("/")[0] for name in RULE_SETS}))
"""The games that a day can be exported of alone."""


class Day(NamedTuple):
    """A gaming day in Rome, of one game or of all."""

    day: date
    game: str = ""

    @property
    def name(self) -> str:
        """``"2026-11-21"``, ``"2026-11-21-baccarat"``."""
        return f"{self.day}-{self.game}" if self.game else str(self.day)


class Snapshot:
    """One moment of the database, seen through one connection; a day's registers read from it."""

    def __init__(self, connection: "psycopg.Connection[Any]", of: Day) -> None:
        self.connection = connection
        self.of = of
        self.arguments: Mapping[str, Any] = {
            "day": of.day,
            "game": of.game or None,
            "in_force_from": json.dumps({r.name: str(r.in_force_from) for r in RULE_SETS.values()}),
            **self._span(),
        }
        """The parameters of every register's query."""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """All rows of a query that has few."""
        return psycopg.Cursor(self.connection).execute(query, self.arguments).fetchall()

    def _span(self) -> dict[str, str]:
        found = psycopg.Cursor(self.connection).execute(_SPAN, {"day": self.of.day}).fetchone()
        first, last = found or (None, None)
        return {"first": first or _NOWHERE, "last": last or _NOWHERE}


@contextmanager
def snapshot(of: Day, *, database: str) -> Iterator[Snapshot]:
    """The database as it is at one moment. Not inside of a transaction.

    The planner's guesses about a day's rounds are good for the joins of a register, and bad for
    loops around them, so these are the last resort.
    """
    connection = connections[database]
    with transaction.atomic(using=database, durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SET LOCAL timezone = 'UTC'")
            cursor.execute("SET LOCAL datestyle = 'ISO'")
            cursor.execute("SET LOCAL work_mem = '64MB'")
            cursor.execute("SET LOCAL jit = off")
        yield Snapshot(cast("psycopg.Connection[Any]", connection.connection), of)

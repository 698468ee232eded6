"""What is exported, and the snapshot of the database that its registers come from."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any, Final, NamedTuple, cast

import psycopg
from django.conf import settings
from django.db import connections, transaction

from compliance.exports.reports.returns import declared_returns
from rounds.rules.catalogue import RULE_SETS

REGISTERS_OF_DAY: Final = "registers"
"""Contents: the registers that the regulator gets."""
STANDING_REPORTS: Final = "reports"
"""Contents: the reports that test laboratories ask for."""

_SPAN: Final = """
    SELECT min(round.id::text), max(round.id::text) FROM rounds_round AS round
     WHERE round.booked_on BETWEEN %(first_day)s AND %(last_day)s
"""
_CUSTOMER: Final = "SELECT id FROM rounds_customer WHERE pseudonym = %(customer)s"
_NOBODY: Final = -1
_NOWHERE: Final = "00000000-0000-0000-0000-000000000000"
GAMES: Final = tuple(sorted({name.partition("/")[0] for name in RULE_SETS}))
"""The games that a day can be exported of alone."""


class Scope(NamedTuple):
    """Gaming days in Rome, from the first to the last, and what of them; empty is everything."""

    first_day: date
    last_day: date
    game: str = ""
    table: str = ""
    """Code of a table."""
    rules: str = ""
    """Name of a rule set."""
    customer: str = ""
    """Pseudonym; of bets and their money, only this person's."""
    contents: str = REGISTERS_OF_DAY

    @property
    def name(self) -> str:
        """``"2026-11-21"``, ``"2026-11-21-baccarat"``; names nobody, so that it can be a file's."""
        until = "" if self.first_day == self.last_day else f"-to-{self.last_day}"
        game = f"-{self.game}" if self.game else ""
        some = "-extract" if self.is_narrowed else ""
        contents = "" if self.contents == REGISTERS_OF_DAY else f"-{self.contents}"
        return f"{self.first_day}{until}{game}{some}{contents}"

    @property
    def is_narrowed(self) -> bool:
        """Whether it leaves out some of a game's rounds or bets."""
        return bool(self.table or self.rules or self.customer)

    @property
    def is_gaming_day(self) -> bool:
        """Whether it is one whole day of a game or of all: what is handed in day by day."""
        one_day = self.first_day == self.last_day
        return one_day and not self.is_narrowed and self.contents == REGISTERS_OF_DAY

    @property
    def days(self) -> list[date]:
        """Its days in their order."""
        count = (self.last_day - self.first_day).days + 1
        return [self.first_day + timedelta(days=one) for one in range(count)]

    def told(self) -> dict[str, str]:
        """As manifests and audit records say it."""
        return {name: str(value) for name, value in self._asdict().items()}


def one_day(day: date, game: str = "") -> Scope:
    """A whole gaming day."""
    return Scope(day, day, game)


class Snapshot:
    """One moment of the database, seen through one connection; registers read from it."""

    def __init__(self, connection: "psycopg.Connection[Any]", of: Scope) -> None:
        self.connection = connection
        self.of = of
        self.arguments: Mapping[str, Any] = {
            "first_day": of.first_day,
            "last_day": of.last_day,
            "game": of.game or None,
            "table": of.table or None,
            "rules": of.rules or None,
            "customer": of.customer or None,
            "customer_id": self._customer_id(),
            "declared_returns": declared_returns(),
            "large_win_cents": settings.LARGE_WIN_CENTS,
            "in_force_from": json.dumps({r.name: str(r.in_force_from) for r in RULE_SETS.values()}),
            **self._span(),
        }
        """The parameters of every register's query."""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """All rows of a query that has few."""
        return psycopg.Cursor(self.connection).execute(query, self.arguments).fetchall()

    def _customer_id(self) -> int | None:
        if not self.of.customer:
            return None
        asked = {"customer": self.of.customer}
        found = psycopg.Cursor(self.connection).execute(_CUSTOMER, asked).fetchone()
        return found[0] if found else _NOBODY

    def _span(self) -> dict[str, str]:
        asked = {"first_day": self.of.first_day, "last_day": self.of.last_day}
        found = psycopg.Cursor(self.connection).execute(_SPAN, asked).fetchone()
        first, last = found or (None, None)
        return {"first": first or _NOWHERE, "last": last or _NOWHERE}


@contextmanager
def snapshot(of: Scope, *, database: str) -> Iterator[Snapshot]:
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

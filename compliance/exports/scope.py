"""The scope of an export, and the database snapshot that its registers read."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any, Final, NamedTuple, cast

import psycopg
from django.conf import settings
from django.db import connections, transaction

from compliance.exports.reports.declared_returns import declared_returns
from compliance.exports.tax_rates import signed_rates
from compliance.storage.partitions import Month
from payouts.carried_forward.detached_months import detached_with_bookings
from rounds.rules.catalogue import RULE_SETS

DAILY_REGISTERS: Final = "registers"
"""Contents: the registers for the regulator."""
COMPLIANCE_REPORTS: Final = "reports"
"""Contents: the reports that testing laboratories require (GLI-19)."""

_SPAN: Final = """
    SELECT min(round.id::text), max(round.id::text) FROM rounds_round AS round
     WHERE round.booked_on BETWEEN %(first_day)s AND %(last_day)s
"""
_CUSTOMER: Final = "SELECT id FROM rounds_customer WHERE pseudonym = %(customer)s"
_NOBODY: Final = -1
_NOWHERE: Final = "00000000-0000-0000-0000-000000000000"
GAMES: Final = tuple(sorted({name.partition("/")[0] for name in RULE_SETS}))
"""The games by which an export can be filtered."""


class Scope(NamedTuple):
    """A range of gaming days in Rome, with filters; an empty filter selects everything."""

    first_day: date
    last_day: date
    game: str = ""
    table: str = ""
    """Code of a table."""
    rules: str = ""
    """Name of a rule set."""
    customer: str = ""
    """Pseudonym; restricts bets and their money to this customer."""
    contents: str = DAILY_REGISTERS

    @property
    def name(self) -> str:
        """Name for files, without personal data: ``"2026-11-21"``, ``"2026-11-21-baccarat"``."""
        until = "" if self.first_day == self.last_day else f"-to-{self.last_day}"
        game = f"-{self.game}" if self.game else ""
        extract = "-extract" if self.is_narrowed else ""
        contents = "" if self.contents == DAILY_REGISTERS else f"-{self.contents}"
        return f"{self.first_day}{until}{game}{extract}{contents}"

    @property
    def is_narrowed(self) -> bool:
        """Whether it filters rounds or bets within a game."""
        return bool(self.table or self.rules or self.customer)

    @property
    def is_gaming_day(self) -> bool:
        """Whether it is a complete day of one or all games: the daily submission."""
        is_one_day = self.first_day == self.last_day
        return is_one_day and not self.is_narrowed and self.contents == DAILY_REGISTERS

    @property
    def days(self) -> list[date]:
        """Its days in order."""
        count = (self.last_day - self.first_day).days + 1
        return [self.first_day + timedelta(days=offset) for offset in range(count)]

    def to_json(self) -> dict[str, str]:
        """Its representation in manifests and audit records."""
        return {name: str(value) for name, value in self._asdict().items()}


def one_day(day: date, game: str = "") -> Scope:
    """A whole gaming day."""
    return Scope(day, day, game)


class DaysDetached(Exception):
    """Rounds of the days are in the archive alone. Nothing was exported."""

    def __init__(self, months: Sequence[Month]) -> None:
        self.months = ", ".join(map(str, months))
        super().__init__(
            f"days: found rounds of {self.months} in the archive; needed restore_month first"
        )


def require_days(of: Scope) -> None:
    """Raises DaysDetached if months with bookings on the days are out of the database."""
    if months := detached_with_bookings(of.first_day, of.last_day):
        raise DaysDetached(months)


class Snapshot:
    """A consistent view of the database on one connection, for registers."""

    def __init__(self, connection: "psycopg.Connection[Any]", of: Scope, *, database: str) -> None:
        self.connection = connection
        self.of = of
        self.database = database
        """The alias by which models are read in the same snapshot."""
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
            "tax_rates": [rate.pk for rate in signed_rates()],
            **self._span(),
        }
        """The parameters of every register's query."""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """All rows of a query with a small result."""
        return psycopg.Cursor(self.connection).execute(query, self.arguments).fetchall()

    def _customer_id(self) -> int | None:
        if not self.of.customer:
            return None
        parameters = {"customer": self.of.customer}
        row = psycopg.Cursor(self.connection).execute(_CUSTOMER, parameters).fetchone()
        return row[0] if row else _NOBODY

    def _span(self) -> dict[str, str]:
        parameters = {"first_day": self.of.first_day, "last_day": self.of.last_day}
        row = psycopg.Cursor(self.connection).execute(_SPAN, parameters).fetchone()
        first, last = row or (None, None)
        return {"first": first or _NOWHERE, "last": last or _NOWHERE}


_MODE: Final = (
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    "SET LOCAL timezone = 'UTC'",
    "SET LOCAL datestyle = 'ISO'",
    "SET LOCAL work_mem = '64MB'",
    "SET LOCAL jit = off",
    # Absent filters vanish only from a plan that knows the parameters.
    "SET LOCAL plan_cache_mode = force_custom_plan",
)


@contextmanager
def snapshot(of: Scope, *, database: str) -> Iterator[Snapshot]:
    """A REPEATABLE READ snapshot of the database. Not callable inside a transaction.

    Raises DaysDetached.
    """
    require_days(of)
    connection = connections[database]
    with transaction.atomic(using=database, durable=True):
        with connection.cursor() as cursor:
            for statement in _MODE:
                cursor.execute(statement)
        open_connection = cast("psycopg.Connection[Any]", connection.connection)
        yield Snapshot(open_connection, of, database=database)

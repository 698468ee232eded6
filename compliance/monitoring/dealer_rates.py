"""Error rates by dealer, shift or location, each compared with the others. Read-only.

``database`` is the alias to read from.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections

from compliance.monitoring.statistics.error_rates import (
    LEAST_ROUNDS,
    LEVEL,
    Stratum,
    adjusted_chances,
    error_distribution,
    expected_errors,
)
from rounds.gaming_day import begin_of_day, end_of_day


class By(StrEnum):
    """What is compared; the value is a column."""

    DEALER = "dealer"
    SHIFT = "shift"
    LOCATION = "location"


class Scope(NamedTuple):
    """The rounds that are compared: days of play, both included, and what else is chosen."""

    first: date
    last: date
    table: str | None = None
    rules: Sequence[str] | None = None
    shift: str | None = None


class Counts(NamedTuple):
    """Numbers of rounds; ``errors`` counts successive rounds with errors at a table once."""

    rounds: int = 0
    errors: int = 0
    error_rounds: int = 0
    malfunctions: int = 0
    void_rounds: int = 0
    implausible: int = 0
    corrected: int = 0


class TableErrors(NamedTuple):
    """The errors at one table and rule set, compared with those of everybody there."""

    table_id: int
    """0 for all tables of the rule set, by which locations are compared."""
    rules: str
    counts: Counts
    rounds: int
    """Of everybody."""
    errors: int
    """Of everybody."""

    @property
    def stratum(self) -> Stratum:
        """The rounds as the test compares them."""
        return Stratum(self.counts.rounds, self.rounds, self.errors)


class ErrorRate(NamedTuple):
    """The errors of a dealer, shift or location, compared with those of the others."""

    name: str
    """Empty for rounds that do not state it."""
    counts: Counts
    expected: float
    """Errors, if everybody made as many in the rounds of each table."""
    chance: float | None
    """That of so many errors or more; None if it was not computed: not more than expected."""
    is_compared: bool
    """Whether there are enough rounds, and others to compare with."""
    is_above: bool
    """Whether it is above chance after the correction for the number of comparisons."""
    tables: Sequence[TableErrors]

    @property
    def per_thousand(self) -> float:
        """Errors in a thousand rounds."""
        return 1000 * self.counts.errors / self.counts.rounds


# Tables differ in their errors, so dealers and shifts are compared at each of them. A location has
# tables of its own: locations are compared by rule set.
_COUNTS: Final = """
    SELECT {by} AS name, {stratum} AS table_id, dealing.rules, {sums}
      FROM monitoring_hourlydealing AS dealing
     WHERE hour >= %(first)s AND hour < %(end)s
       AND (%(table)s::text IS NULL
            OR table_id = (SELECT id FROM rounds_table WHERE code = %(table)s))
       AND (%(rules)s::text[] IS NULL OR dealing.rules = ANY(%(rules)s))
       AND (%(shift)s::text IS NULL OR shift = %(shift)s)
     GROUP BY 1, 2, 3
"""
_SUMS: Final = ", ".join(f"sum({name})::bigint" for name in Counts._fields)

_Stratum = tuple[int, str]


def error_rates(by: By, scope: Scope, *, database: str = DEFAULT_DB_ALIAS) -> list[ErrorRate]:
    """The rates of everybody in the scope, the least likely first and those not compared last."""
    counts = _counts(by, scope, database)
    totals: defaultdict[_Stratum, Counter[str]] = defaultdict(Counter)
    for strata in counts.values():
        for key, counted in strata.items():
            totals[key].update(rounds=counted.rounds, errors=counted.errors)
    rates = [_rate(name, strata, totals) for name, strata in counts.items()]
    chances = {
        rate.name: 1.0 if rate.chance is None else rate.chance for rate in rates if rate.is_compared
    }
    adjusted = adjusted_chances(chances)
    named = [rate._replace(is_above=adjusted.get(rate.name, 1.0) <= LEVEL) for rate in rates]
    return sorted(named, key=_likelihood)


def _likelihood(rate: ErrorRate) -> tuple[Any, ...]:
    if not rate.is_compared:
        return True, not rate.name, rate.name
    return False, 1.0 if rate.chance is None else rate.chance, -rate.per_thousand, rate.name


def _rate(
    name: str, own: Mapping[_Stratum, Counts], totals: Mapping[_Stratum, Mapping[str, int]]
) -> ErrorRate:
    tables = [
        TableErrors(*key, counted, totals[key]["rounds"], totals[key]["errors"])
        for key, counted in sorted(own.items())
    ]
    strata = [table.stratum for table in tables]
    counts = Counts(*map(sum, zip(*own.values(), strict=True)))
    expected = expected_errors(strata)
    shared = sum(stratum.own_rounds for stratum in strata if stratum.own_rounds < stratum.rounds)
    is_compared = bool(name) and shared >= LEAST_ROUNDS
    chance = None
    if is_compared and counts.errors > expected:
        chance = error_distribution(strata).at_least(counts.errors)
    return ErrorRate(name, counts, expected, chance, is_compared, is_above=False, tables=tables)


def _counts(by: By, scope: Scope, database: str) -> dict[str, dict[_Stratum, Counts]]:
    """The counts of everybody, by table and rule set."""
    stratum = "0" if by is By.LOCATION else "table_id"
    parameters = {
        "first": begin_of_day(scope.first),
        "end": end_of_day(scope.last),
        "table": scope.table,
        "rules": None if scope.rules is None else list(scope.rules),
        "shift": scope.shift,
    }
    counts: defaultdict[str, dict[_Stratum, Counts]] = defaultdict(dict)
    with connections[database].cursor() as cursor:
        cursor.execute(_COUNTS.format(by=by.value, stratum=stratum, sums=_SUMS), parameters)
        for name, table_id, rules, *numbers in cursor.fetchall():
            counts[name][table_id, rules] = Counts(*numbers)
    return dict(counts)

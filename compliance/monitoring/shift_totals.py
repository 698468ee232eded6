"""Rounds and money by shift, from the hourly figures."""

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections

from rounds.gaming_day import begin_of_day, end_of_day

_TOTALS: Final = """
    SELECT shift, rules, sum(settled_rounds)::bigint,
           sum(void_rounds)::bigint, sum(staked_cents)::bigint, sum(staked_chips_cents)::bigint,
           sum(payout_cents)::bigint, sum(payout_chips_cents)::bigint
      FROM monitoring_hourlydealing
     WHERE hour >= %s AND hour < %s
     GROUP BY shift, rules ORDER BY shift COLLATE "C", rules
"""


class ShiftTotal(NamedTuple):
    """The settled rounds of a shift and rule set, by day of play; money in cents."""

    shift: str
    """Empty for rounds that do not state it."""
    rules: str
    rounds: int
    void_rounds: int
    staked_cents: int
    """Golden chips included, as in the payouts."""
    staked_chips_cents: int
    payout_cents: int
    payout_chips_cents: int


def shift_totals(
    first: date, last: date, *, database: str = DEFAULT_DB_ALIAS
) -> Iterator[ShiftTotal]:
    """The totals of rounds played on these days, both included, by shift and rule set."""
    with connections[database].cursor() as cursor:
        cursor.execute(_TOTALS, [begin_of_day(first), end_of_day(last)])
        yield from (ShiftTotal(*row) for row in cursor.fetchall())

"""The report of daily totals (``DailyRounds``, ``DailyBets``)."""

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from django.db import connections

# One statement, so that the figures are of one snapshot.
_TOTALS: Final = """
    WITH of_rounds AS (
        SELECT day, table_id, rules, sum(rounds)::bigint AS rounds, sum(void_rounds)::bigint AS void
          FROM payouts_dailyrounds
         WHERE day BETWEEN %(first)s AND %(last)s
         GROUP BY day, table_id, rules
    ), of_bets AS (
        SELECT day, table_id, rules, sum(bets)::bigint AS bets, sum(void_bets)::bigint AS void,
               sum(staked_cents)::bigint AS staked, sum(staked_chips_cents)::bigint AS staked_chips,
               sum(payout_cents)::bigint AS payout, sum(payout_chips_cents)::bigint AS payout_chips
          FROM payouts_dailybets
         WHERE day BETWEEN %(first)s AND %(last)s
         GROUP BY day, table_id, rules
    )
    SELECT of_rounds.day, dealt_at.code, of_rounds.rules, of_rounds.rounds, of_rounds.void,
           coalesce(of_bets.bets, 0), coalesce(of_bets.void, 0),
           coalesce(of_bets.staked, 0), coalesce(of_bets.staked_chips, 0),
           coalesce(of_bets.payout, 0), coalesce(of_bets.payout_chips, 0)
      FROM of_rounds
      LEFT JOIN of_bets USING (day, table_id, rules)
      JOIN rounds_table AS dealt_at ON dealt_at.id = of_rounds.table_id
     ORDER BY of_rounds.day, dealt_at.code, of_rounds.rules
"""


class DailyTotal(NamedTuple):
    """The settled rounds of a day, table and rule set; cents include golden chips."""

    day: date
    table: str
    rules: str
    rounds: int
    void_rounds: int
    bets: int
    void_bets: int
    staked_cents: int
    staked_chips_cents: int
    payout_cents: int
    payout_chips_cents: int


def daily_totals(*, first: date, last: date, database: str) -> Iterator[DailyTotal]:
    """The totals of these days, inclusive, by day, table and rule set.

    ``database`` is the alias to read from (``compliance.storage.replica.report_database``).
    """
    with connections[database].cursor() as cursor:
        cursor.execute(_TOTALS, {"first": first, "last": last})
        yield from map(DailyTotal._make, cursor.fetchall())

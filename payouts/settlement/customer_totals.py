"""Stakes and payouts of one customer, by round and by day of play."""

from collections.abc import Collection
from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from rounds.gaming_day import gaming_day_of_id_sql, gaming_day_sql

# The latest settlement is looked up for each round: nearly every round has only one.
_PAID: Final = """
      LEFT JOIN LATERAL (
           SELECT sequence FROM payouts_settlement AS settlement
            WHERE settlement.round_id = bets.round_id
            ORDER BY sequence DESC LIMIT 1) AS latest ON true
      LEFT JOIN LATERAL (
           SELECT sum(payout_cents) AS cents FROM payouts_betsettlement AS paid
            WHERE paid.round_id = bets.round_id AND paid.sequence = latest.sequence
              AND paid.bet_number = ANY(bets.numbers)) AS paid ON true
"""
_BY_ROUND: Final = f"""
    WITH bets AS MATERIALIZED (
        SELECT round_id, array_agg(number) AS numbers, sum(stake_cents + raised_cents) AS staked
          FROM rounds_bet
         WHERE customer_id = %(customer)s AND round_id = ANY(%(rounds)s)
         GROUP BY round_id)
    SELECT bets.round_id, cardinality(bets.numbers), bets.staked, paid.cents FROM bets {_PAID}
"""
# One index look-up per day played, from the latest day backwards.
# Ids encode no time before 1970: such rounds are read with 1 January 1970 and grouped by the day of
# their opening.
_PLAYED_ON: Final = gaming_day_sql("round.opened_at")
_END: Final = "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid"
_FIRST_ID_OF: Final = """
    (lpad(to_hex(greatest(extract(epoch FROM ({0})::timestamp AT TIME ZONE 'Europe/Rome'), 0)
                 ::bigint * 1000), 12, '0') || repeat('0', 20))::uuid
"""
_LATEST_BEFORE: Final = f"""
    (SELECT {gaming_day_of_id_sql("bet.round_id")} FROM rounds_bet AS bet
      WHERE bet.customer_id = %(customer)s AND bet.round_id < {{0}}
      ORDER BY bet.round_id DESC LIMIT 1)
"""
_BEFORE: Final = f"""
    CASE WHEN %(before)s::date IS NULL THEN {_END}
         ELSE {_FIRST_ID_OF.format("%(before)s::date")} END
"""
_DAYS: Final = f"""
    WITH RECURSIVE played (day, number) AS (
        SELECT CASE WHEN %(before)s::date <= '1970-01-01' THEN '1970-01-01'::date
                    ELSE {_LATEST_BEFORE.format(_BEFORE)} END, 1
         UNION ALL
        SELECT {_LATEST_BEFORE.format(_FIRST_ID_OF.format("played.day"))}, number + 1
          FROM played WHERE day IS NOT NULL AND number < %(most)s
    ), bets AS MATERIALIZED (
        SELECT played.day, bet.round_id, array_agg(bet.number) AS numbers,
               sum(bet.stake_cents + bet.raised_cents) AS staked
          FROM played JOIN rounds_bet AS bet
            ON bet.customer_id = %(customer)s
           AND bet.round_id >= {_FIRST_ID_OF.format("played.day")}
           AND bet.round_id < CASE WHEN played.day = '9999-12-31' THEN {_END}
                                   ELSE {_FIRST_ID_OF.format("played.day + 1")} END
         GROUP BY played.day, bet.round_id)
    SELECT {_PLAYED_ON}, round.rules, count(*), sum(cardinality(bets.numbers)), sum(bets.staked),
           coalesce(sum(paid.cents), 0), count(*) FILTER (WHERE latest.sequence IS NULL)
      FROM bets JOIN rounds_round AS round ON round.id = bets.round_id {_PAID}
     WHERE %(before)s::date IS NULL OR {_PLAYED_ON} < %(before)s::date
     GROUP BY 1, round.rules
     ORDER BY 1 DESC, round.rules
"""


class CustomerTotals(NamedTuple):
    """Bets of a customer with stakes and payouts (None before the settlement)."""

    bets: int
    staked_cents: int
    payout_cents: int | None


NO_TOTALS: Final = CustomerTotals(0, 0, None)


class DailyGameTotals(NamedTuple):
    """A customer's totals of one game and day of play."""

    day: date
    rules: str
    rounds: int
    bets: int
    staked_cents: int
    payout_cents: int
    open_rounds: int
    """Rounds that are not settled yet. Their payouts are not included."""


def customer_round_totals(
    customer_id: int, round_ids: Collection[UUID]
) -> dict[UUID, CustomerTotals]:
    """The customer's totals by round, of rounds in which the customer has a bet."""
    with connection.cursor() as cursor:
        cursor.execute(_BY_ROUND, {"customer": customer_id, "rounds": list(round_ids)})
        return {
            round_id: CustomerTotals(bets, int(staked), None if paid is None else int(paid))
            for round_id, bets, staked, paid in cursor.fetchall()
        }


def days_played(customer_id: int, *, before: date | None, most: int) -> list[DailyGameTotals]:
    """The latest days on which the customer played, by game, newest first.

    Only days before ``before`` if it is given. Days before 1970 are returned together.
    """
    arguments: dict[str, int | date | None] = {
        "customer": customer_id,
        "before": before,
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(_DAYS, arguments)
        return [
            DailyGameTotals(day, rules, *map(int, figures))
            for day, rules, *figures in cursor.fetchall()
        ]

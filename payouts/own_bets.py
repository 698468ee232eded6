"""What one customer staked and was paid: by round, and by day of play. Always by an index."""

from collections.abc import Collection
from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

# The latest settlement of each round is looked up for itself: a round has one, seldom two.
_PAID: Final = """
      LEFT JOIN LATERAL (
           SELECT sequence FROM payouts_settlement AS settlement
            WHERE settlement.round_id = own.round_id
            ORDER BY sequence DESC LIMIT 1) AS latest ON true
      LEFT JOIN LATERAL (
           SELECT sum(payout_cents) AS cents FROM payouts_betsettlement AS paid
            WHERE paid.round_id = own.round_id AND paid.sequence = latest.sequence
              AND paid.bet_number = ANY(own.numbers)) AS paid ON true
"""
_BY_ROUND: Final = f"""
    WITH own AS MATERIALIZED (
        SELECT round_id, array_agg(number) AS numbers, sum(stake_cents + raised_cents) AS staked
          FROM rounds_bet
         WHERE customer_id = %(customer)s AND round_id = ANY(%(rounds)s)
         GROUP BY round_id)
    SELECT own.round_id, cardinality(own.numbers), own.staked, paid.cents FROM own {_PAID}
"""  # noqa: S608  our own names
# One look into the index of a customer's bets for the latest day, one for the day before it.
# A day begins at midnight in Rome; the time of a round is in the first twelve digits of its id.
_DAY_OF: Final = """
    (to_timestamp(('x' || left(replace({0}::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
     AT TIME ZONE 'Europe/Rome')::date
"""
_FIRST_ID_OF: Final = """
    (lpad(to_hex(greatest(extract(epoch FROM ({0})::timestamp AT TIME ZONE 'Europe/Rome'), 0)
                 ::bigint * 1000), 12, '0') || repeat('0', 20))::uuid
"""
_LATEST_BEFORE: Final = f"""
    (SELECT {_DAY_OF.format("bet.round_id")} FROM rounds_bet AS bet
      WHERE bet.customer_id = %(customer)s AND bet.round_id < {{0}}
      ORDER BY bet.round_id DESC LIMIT 1)
"""  # noqa: S608  our own names
_DAYS: Final = f"""
    WITH RECURSIVE played (day, number) AS (
        SELECT {_LATEST_BEFORE.format(_FIRST_ID_OF.format("%(before)s"))}, 1
         UNION ALL
        SELECT {_LATEST_BEFORE.format(_FIRST_ID_OF.format("played.day"))}, number + 1
          FROM played WHERE day IS NOT NULL AND number < %(most)s
    ), own AS MATERIALIZED (
        SELECT played.day, bet.round_id, array_agg(bet.number) AS numbers,
               sum(bet.stake_cents + bet.raised_cents) AS staked
          FROM played JOIN rounds_bet AS bet
            ON bet.customer_id = %(customer)s
           AND bet.round_id >= {_FIRST_ID_OF.format("played.day")}
           AND bet.round_id < {_FIRST_ID_OF.format("played.day + 1")}
         GROUP BY played.day, bet.round_id)
    SELECT own.day, round.rules, count(*), sum(cardinality(own.numbers)), sum(own.staked),
           coalesce(sum(paid.cents), 0), count(*) FILTER (WHERE latest.sequence IS NULL)
      FROM own JOIN rounds_round AS round ON round.id = own.round_id {_PAID}
     GROUP BY own.day, round.rules
     ORDER BY own.day DESC, round.rules
"""  # noqa: S608  our own names


class OwnSums(NamedTuple):
    """Bets, what they staked, what they were paid (None before they are settled)."""

    bets: int
    staked_cents: int
    payout_cents: int | None


NOTHING: Final = OwnSums(0, 0, None)


class DayOfGame(NamedTuple):
    """What a customer did at one game on one day of play."""

    day: date
    rules: str
    rounds: int
    bets: int
    staked_cents: int
    payout_cents: int
    open_rounds: int
    """Rounds that are not settled yet; their payouts are not counted."""


def own_sums(customer_id: int, round_ids: Collection[UUID]) -> dict[UUID, OwnSums]:
    """By round, what is this customer's; rounds without a bet of the customer are left out."""
    with connection.cursor() as cursor:
        cursor.execute(_BY_ROUND, {"customer": customer_id, "rounds": list(round_ids)})
        return {
            round_id: OwnSums(bets, int(staked), None if paid is None else int(paid))
            for round_id, bets, staked, paid in cursor.fetchall()
        }


def days_of(customer_id: int, *, before: date, most: int) -> list[DayOfGame]:
    """The latest days before this one on which the customer played, newest first, by game."""
    asked: dict[str, int | date] = {"customer": customer_id, "before": before, "most": most}
    with connection.cursor() as cursor:
        cursor.execute(_DAYS, asked)
        return [
            DayOfGame(day, rules, *map(int, figures)) for day, rules, *figures in cursor.fetchall()
        ]

"""The bets of one customer with their results, newest first, a page at a time."""

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

LATEST_BETS: Final = """
    SELECT round_id, number, kind, stake_cents + raised_cents AS staked_cents, golden
      FROM rounds_bet
     WHERE customer_id = %(customer)s
       AND (%(round)s::uuid IS NULL OR (round_id, number) < (%(round)s::uuid, %(number)s::integer))
     ORDER BY round_id DESC, number DESC
     LIMIT %(most)s
"""
"""SQL: a customer's bets before a key, one range of the index by customer."""

# Each bet looks its round and settlement up by key: the planner would join whole partitions.
_RESULTS: Final = f"""
    WITH bet AS MATERIALIZED ({LATEST_BETS})
    SELECT bet.*, round.opened_at, round.code, round.rules, paid.outcome, paid.payout_cents
      FROM bet
     CROSS JOIN LATERAL (
           SELECT dealt.opened_at, dealt.rules, place.code
             FROM rounds_round AS dealt JOIN rounds_table AS place ON place.id = dealt.table_id
            WHERE dealt.id = bet.round_id LIMIT 1) AS round
      LEFT JOIN LATERAL (
           SELECT sequence FROM payouts_settlement
            WHERE round_id = bet.round_id ORDER BY sequence DESC LIMIT 1) AS latest ON true
      LEFT JOIN LATERAL (
           SELECT outcome, payout_cents FROM payouts_betsettlement
            WHERE round_id = bet.round_id AND sequence = latest.sequence
              AND bet_number = bet.number LIMIT 1) AS paid ON true
     ORDER BY bet.round_id DESC, bet.number DESC
"""


_SPAN: Final = f"""
    WITH bet AS MATERIALIZED ({LATEST_BETS})
    SELECT (SELECT count(*) FROM bet), latest.round_id, first.round_id, first.number,
           EXISTS (SELECT FROM rounds_bet
                    WHERE customer_id = %(customer)s
                      AND (round_id, number) < (first.round_id, first.number))
      FROM (SELECT round_id FROM bet ORDER BY round_id DESC LIMIT 1) AS latest,
           (SELECT round_id, number FROM bet ORDER BY round_id, number LIMIT 1) AS first
"""


class BetKey(NamedTuple):
    """The place of a bet in the order of play."""

    round_id: UUID
    number: int


class BetSpan(NamedTuple):
    """Consecutive bets of a customer."""

    bets: int
    latest: UUID
    """The round of the latest of them."""
    first: BetKey
    has_earlier: bool
    """Whether the customer placed bets before ``first``."""


class CustomerBet(NamedTuple):
    """A bet with its result; ``outcome`` and ``payout_cents`` are None before the settlement."""

    round_id: UUID
    number: int
    kind: str
    staked_cents: int
    golden: bool
    opened_at: datetime
    table: str
    rules: str
    outcome: str | None
    payout_cents: int | None

    @property
    def key(self) -> BetKey:
        """Its place in the order of play."""
        return BetKey(self.round_id, self.number)

    @property
    def won_cents(self) -> int | None:
        """What the customer won, the stake deducted; negative for a loss."""
        return None if self.payout_cents is None else self.payout_cents - self.staked_cents


def customer_bets(customer_id: int, *, before: BetKey | None, most: int) -> list[CustomerBet]:
    """The customer's latest bets, newest first; only those before a bet if one is given."""
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS, bets_before(customer_id, before, most))
        return [CustomerBet(*row) for row in cursor.fetchall()]


def bet_span(customer_id: int, *, before: BetKey | None, most: int) -> BetSpan | None:
    """The span of the customer's latest ``most`` bets, or of those before a bet; None without."""
    with connection.cursor() as cursor:
        cursor.execute(_SPAN, bets_before(customer_id, before, most))
        row = cursor.fetchone()
    if row is None:
        return None
    bets, latest, round_id, number, has_earlier = row
    return BetSpan(bets, latest, BetKey(round_id, number), has_earlier)


def bets_before(customer_id: int, before: BetKey | None, most: int) -> dict[str, int | UUID | None]:
    """The parameters of ``LATEST_BETS``."""
    round_id, number = before or (None, None)
    return {"customer": customer_id, "round": round_id, "number": number, "most": most}

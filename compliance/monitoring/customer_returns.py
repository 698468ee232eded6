"""What a customer's latest bets returned, compared with what chance expects."""

from typing import Any, Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections

from compliance.monitoring.models import Look, WatchLook, What
from compliance.monitoring.queries import Figures, figures_of
from compliance.monitoring.statistics.variance import Sums
from payouts.settlement.customer_bets import LATEST_BETS, BetKey, bets_before

MOST_BETS: Final = 2_000
"""Bets that are compared at a time; each is looked up by key."""

# As the monitor counts: by round, without void bets, golden chips apart.
_SUMS: Final = f"""
    WITH bet AS MATERIALIZED ({LATEST_BETS}),
    latest AS MATERIALIZED (
        SELECT played.round_id, settled.sequence, settled.rules
          FROM (SELECT DISTINCT round_id FROM bet) AS played
         CROSS JOIN LATERAL (
               SELECT sequence, rules FROM payouts_settlement
                WHERE round_id = played.round_id ORDER BY sequence DESC LIMIT 1) AS settled
    ), played AS (
        SELECT latest.rules, bet.kind, bet.round_id,
               count(*) FILTER (WHERE NOT bet.golden) AS bets,
               count(*) FILTER (WHERE bet.golden) AS golden_bets,
               coalesce(sum(bet.staked_cents) FILTER (WHERE NOT bet.golden), 0) AS staked,
               coalesce(sum(paid.payout_cents) FILTER (WHERE NOT bet.golden), 0) AS payout
          FROM bet JOIN latest ON latest.round_id = bet.round_id
         CROSS JOIN LATERAL (
               SELECT outcome, payout_cents FROM payouts_betsettlement
                WHERE round_id = bet.round_id AND sequence = latest.sequence
                  AND bet_number = bet.number LIMIT 1) AS paid
         WHERE paid.outcome <> 'void'
         GROUP BY latest.rules, bet.kind, bet.round_id
    )
    SELECT rules, kind, sum(golden_bets)::bigint, count(*) FILTER (WHERE bets > 0),
           sum(bets)::bigint, sum(staked)::bigint, sum(payout)::bigint,
           sum(staked::numeric * staked), sum(staked::numeric * payout),
           sum(payout::numeric * payout)
      FROM played GROUP BY rules, kind ORDER BY rules, kind
"""


class CustomerReturn(NamedTuple):
    """The returns of one kind of bet."""

    rules: str
    kind: str
    golden_bets: int
    """Bets in golden chips, which ``figures`` leave out: they are paid differently."""
    figures: Figures

    @property
    def expected_cents(self) -> int | None:
        """What chance expects to be paid; None without a certified return."""
        certified = self.figures.certified
        return None if certified is None else round(certified * self.figures.sums.staked_cents)


def customer_returns(
    customer_id: int,
    *,
    before: BetKey | None = None,
    most: int = MOST_BETS,
    database: str = DEFAULT_DB_ALIAS,
) -> list[CustomerReturn]:
    """The returns of the customer's latest ``most`` bets, or of those before a bet.

    Bets that are void or not settled are left out. The expected returns are those of the monitor's
    last look; a kind of bet that it has not seen has none.
    """
    with connections[database].cursor() as cursor:
        cursor.execute(_SUMS, bets_before(customer_id, before, most))
        rows = cursor.fetchall()
    looks = _looks_at({row[0] for row in rows}, database)
    return [
        CustomerReturn(
            rules, kind, golden, figures_of(Sums(*map(int, sums)), looks.get((rules, kind)))
        )
        for rules, kind, golden, *sums in rows
    ]


def _looks_at(rules: set[str], database: str) -> dict[tuple[str, str], WatchLook]:
    """The last look at each kind of bet: what it expects is the same at all tables."""
    look = Look.objects.using(database).order_by("-pk").first()
    if look is None:
        return {}
    looks: Any = (
        WatchLook.objects.using(database)
        .filter(look=look, watch__what=What.RETURN, watch__rules__in=rules)
        .select_related("watch")
        .order_by("watch__rules", "watch__kind", "watch_id")
        .distinct("watch__rules", "watch__kind")
    )
    return {(look.watch.rules, look.watch.kind): look for look in looks}

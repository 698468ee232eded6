"""Ready-made questions on the archive, in DuckDB's SQL. Amounts are integer cents, times UTC."""

from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Question(NamedTuple):
    """A question, and the query that answers it on any span of archived months."""

    key: str
    title: Promise
    sql: str


_LATEST: Final = """\
WITH latest AS (
  SELECT * FROM payouts_settlement
  QUALIFY row_number() OVER (PARTITION BY round_id ORDER BY sequence DESC) = 1
)
"""
"""The settlement of each round that counts."""


def _of_latest(select: str) -> str:
    return f"{_LATEST}{select}"


QUESTIONS: Final = (
    Question(
        "stakes-by-game",
        _("Stakes and payouts by month and game"),
        _of_latest("""\
SELECT strftime(r.opened_at, '%Y-%m') AS month, split_part(s.rules, '/', 1) AS game,
  count(*) AS rounds, sum(s.staked_cents) AS staked_cents, sum(s.payout_cents) AS payout_cents,
  sum(s.staked_cents - s.payout_cents) AS difference_cents
FROM latest s JOIN rounds_round r ON r.id = s.round_id
GROUP BY ALL ORDER BY month, game"""),
    ),
    Question(
        "largest-payouts",
        _("Largest payouts to a customer in a round"),
        _of_latest("""\
SELECT s.settled_at, r.reference AS round, c.pseudonym AS customer, s.rules,
  sum(b.stake_cents + b.raised_cents) AS staked_cents, sum(p.payout_cents) AS payout_cents
FROM latest s JOIN payouts_betsettlement p USING (round_id, sequence)
  JOIN rounds_bet b ON b.round_id = p.round_id AND b.number = p.bet_number
  JOIN rounds_round r ON r.id = p.round_id
  JOIN rounds_customer c ON c.id = b.customer_id
GROUP BY ALL ORDER BY payout_cents DESC, round, customer LIMIT 100"""),
    ),
    Question(
        "void-rounds",
        _("Void rounds and refunds by month"),
        _of_latest("""\
SELECT strftime(r.opened_at, '%Y-%m') AS month,
  count(DISTINCT r.id) FILTER (s.kind = 'void') AS void_rounds,
  count(*) FILTER (p.outcome = 'void') AS void_bets,
  coalesce(sum(p.payout_cents) FILTER (p.outcome = 'void'), 0) AS refunded_cents
FROM latest s JOIN payouts_betsettlement p USING (round_id, sequence)
  JOIN rounds_round r ON r.id = s.round_id
GROUP BY ALL ORDER BY month"""),
    ),
    Question(
        "corrections",
        _("Corrections by month and by who decided"),
        """\
WITH settlement AS (
  SELECT *, payout_cents - lag(payout_cents) OVER (PARTITION BY round_id ORDER BY sequence)
    AS change_cents
  FROM payouts_settlement
)
SELECT strftime(settled_at, '%Y-%m') AS month, actor, approved_by, count(*) AS corrections,
  sum(change_cents) AS payout_change_cents
FROM settlement WHERE change_cents IS NOT NULL
GROUP BY ALL ORDER BY month, actor, approved_by""",
    ),
    Question(
        "bets-by-kind",
        _("Bets by kind, with their return"),
        _of_latest("""\
SELECT s.rules, b.kind, count(*) AS bets, sum(b.stake_cents + b.raised_cents) AS staked_cents,
  sum(p.payout_cents) AS payout_cents,
  round(100.0 * sum(p.payout_cents) / sum(b.stake_cents + b.raised_cents), 2) AS return_percent
FROM latest s JOIN payouts_betsettlement p USING (round_id, sequence)
  JOIN rounds_bet b ON b.round_id = p.round_id AND b.number = p.bet_number
WHERE p.outcome <> 'void'
GROUP BY ALL ORDER BY s.rules, b.kind"""),
    ),
    Question(
        "customer",
        _("Rounds of one customer (replace PSEUDONYM)"),
        _of_latest("""\
SELECT r.opened_at, r.reference AS round, s.rules, count(*) AS bets,
  sum(b.stake_cents + b.raised_cents) AS staked_cents, sum(p.payout_cents) AS payout_cents
FROM rounds_customer c JOIN rounds_bet b ON b.customer_id = c.id
  JOIN latest s ON s.round_id = b.round_id
  JOIN payouts_betsettlement p
    ON p.round_id = s.round_id AND p.sequence = s.sequence AND p.bet_number = b.number
  JOIN rounds_round r ON r.id = b.round_id
WHERE c.pseudonym = 'PSEUDONYM'
GROUP BY ALL ORDER BY r.opened_at, round"""),
    ),
)
"""In the order of the page."""

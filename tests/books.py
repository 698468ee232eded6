"""Whether the books are right, asked of the tables and of replay, never of the settlement."""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

from django.db import connection

from rounds.replay import replay_lines

_SETTLED_OTHERWISE_THAN_ONCE = """
    SELECT bet.round_id, bet.number, count(paid.round_id)
      FROM rounds_bet AS bet
      JOIN rounds_validation AS validation
        ON validation.round_id = bet.round_id AND validation.status = 'validated'
      LEFT JOIN payouts_betsettlement AS paid
        ON paid.round_id = bet.round_id AND paid.bet_number = bet.number
     GROUP BY bet.round_id, bet.number
    HAVING count(paid.round_id) <> 1
"""
_SETTLED_ALTHOUGH_HELD = """
    SELECT paid.round_id
      FROM payouts_settlement AS paid
      JOIN rounds_validation AS validation
        ON validation.round_id = paid.round_id AND validation.status = 'held'
"""
_BALANCES_UNLIKE_TRANSFERS = """
    SELECT account.id, account.balance_cents, coalesce(sum(moved.cents), 0)
      FROM payouts_account AS account
      LEFT JOIN (SELECT credit_id AS id, amount_cents AS cents FROM payouts_transfer
                  UNION ALL
                 SELECT debit_id, -amount_cents FROM payouts_transfer) AS moved
        ON moved.id = account.id
     GROUP BY account.id
    HAVING account.balance_cents <> coalesce(sum(moved.cents), 0)
"""
_SUM_OF_ALL_BALANCES = "SELECT coalesce(sum(balance_cents), 0) FROM payouts_account"
_HELD_STAKES = """
    SELECT (SELECT coalesce(sum(balance_cents), 0) FROM payouts_account WHERE kind = 'stakes_held'),
           (SELECT coalesce(sum(round.staked_cents), 0)
              FROM rounds_round AS round
              JOIN rounds_validation AS validation
                ON validation.round_id = round.id AND validation.status = 'held')
"""
# Replay knows no table and so no limits (contract, detail 14).
_HELD_FOR_LIMITS = """
    SELECT round.reference
      FROM rounds_round AS round
      JOIN rounds_validation AS validation ON validation.round_id = round.id
     WHERE validation.anomalies = '{stake-limits}'
"""
_CUSTOMERS = """
    SELECT customer.pseudonym, sum(account.balance_cents)
      FROM payouts_account AS account
      JOIN rounds_customer AS customer ON customer.id = account.customer_id
     GROUP BY customer.pseudonym
    HAVING sum(account.balance_cents) <> 0
"""


def assert_books_are_right(feed: Iterable[bytes]) -> None:
    """Every bet settled once, the ledger sums to zero, every customer has what replay gives."""
    lines = list(feed)

    assert _rows("SELECT 1 FROM rounds_queuedround") == [], "rounds still wait"
    assert _rows(_SETTLED_OTHERWISE_THAN_ONCE) == []
    assert _rows(_SETTLED_ALTHOUGH_HELD) == []
    assert _rows(_BALANCES_UNLIKE_TRANSFERS) == []
    assert _rows(_SUM_OF_ALL_BALANCES) == [(0,)]
    [(held_by_ledger, held_by_rounds)] = _rows(_HELD_STAKES)
    assert held_by_ledger == held_by_rounds
    beyond_limits = {reference for (reference,) in _rows(_HELD_FOR_LIMITS)}
    booked, replayed = dict(_rows(_CUSTOMERS)), paid_by_replay(lines, without=beyond_limits)
    different = {
        customer: (booked.get(customer), replayed.get(customer))
        for customer in booked.keys() | replayed.keys()
        if booked.get(customer) != replayed.get(customer)
    }
    assert not different, f"booked and replayed, in cents: {different}"


def paid_by_replay(lines: list[bytes], *, without: Collection[str]) -> dict[str, int]:
    """What each customer is credited with, in cents, says replay, some rounds left out."""
    customers: dict[tuple[Any, Any], str] = {}
    for line in lines:
        document = _json(line)
        if isinstance(document, dict) and document.get("feed") == "round/1":
            for bet in document.get("bets", []):
                key = document.get("round"), bet.get("id")
                customers.setdefault(key, bet.get("player"))
    paid: Counter[str] = Counter()
    for result in replay_lines(lines):
        if result["status"] in {"settled", "void"} and result["round"] not in without:
            for bet_id, graded in result["bets"].items():
                euro, cents = graded["payout"].split(".")
                paid[customers[result["round"], bet_id]] += int(euro) * 100 + int(cents)
    return {customer: cents for customer, cents in paid.items() if cents}


def _json(line: bytes) -> Any:  # noqa: ANN401  whatever a feed holds
    try:
        return json.loads(line)
    except ValueError:
        return None


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows

"""Checks of the books, from the tables and from replay, never from the settlement code.

The latest settlement of a round counts; amounts moved by earlier ones must be reversed.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, Final

from django.db import connection

from rounds.replay import replay_lines

SETTLED_OTHERWISE_THAN_ONCE: Final = """
    SELECT bet.round_id, bet.number, settled.sequence, count(paid.round_id)
      FROM rounds_bet AS bet
      JOIN rounds_validation AS validation
        ON validation.round_id = bet.round_id AND validation.sequence = 1
      LEFT JOIN payouts_settlement AS settled ON settled.round_id = bet.round_id
      LEFT JOIN payouts_betsettlement AS paid
        ON paid.round_id = bet.round_id AND paid.bet_number = bet.number
       AND paid.sequence = settled.sequence
     WHERE validation.status = 'validated' OR settled.sequence IS NOT NULL
     GROUP BY bet.round_id, bet.number, settled.sequence
    HAVING count(paid.round_id) <> 1
"""
_SETTLED_WITHOUT_A_SETTLEMENT: Final = """
    SELECT paid.round_id, paid.sequence
      FROM payouts_betsettlement AS paid
     WHERE NOT EXISTS (SELECT FROM payouts_settlement AS settled
                        WHERE settled.round_id = paid.round_id AND settled.sequence = paid.sequence)
"""
_SETTLED_ALTHOUGH_HELD: Final = """
    SELECT settled.round_id
      FROM payouts_settlement AS settled
      JOIN rounds_validation AS validation
        ON validation.round_id = settled.round_id AND validation.status = 'held'
     WHERE settled.approved_by IS NULL
"""
_SEQUENCES_WITH_GAPS: Final = """
    SELECT round_id FROM payouts_settlement
     GROUP BY round_id HAVING (min(sequence), max(sequence)) <> (1, count(*))
"""
_NOT_TAKEN_BACK_ONCE: Final = """
    SELECT made.origin, made.entry, made.line
      FROM payouts_transfer AS made
      JOIN (SELECT round_id, max(sequence) AS sequence FROM payouts_settlement GROUP BY round_id)
           AS latest ON latest.round_id = made.origin
      LEFT JOIN payouts_transfer AS back
        ON back.origin = made.origin AND back.entry = made.entry + 1
       AND (back.reverses_entry, back.reverses_line) = (made.entry, made.line)
       AND (back.debit_id, back.credit_id, back.amount_cents)
         = (made.credit_id, made.debit_id, made.amount_cents)
     WHERE made.entry > 0 AND made.purpose <> 'reversal'
       AND (back.origin IS NOT NULL) <> (made.entry < latest.sequence)
"""
_REVERSALS_OF_NOTHING: Final = """
    SELECT back.origin, back.entry, back.line
      FROM payouts_transfer AS back
      LEFT JOIN payouts_transfer AS made
        ON (made.origin, made.entry, made.line)
         = (back.origin, back.reverses_entry, back.reverses_line)
     WHERE back.purpose = 'reversal' AND (made.origin IS NULL OR made.purpose = 'reversal')
"""
BALANCES_UNLIKE_TRANSFERS: Final = """
    SELECT account.id, account.balance_cents, coalesce(sum(moved.cents), 0)
      FROM payouts_account AS account
      FULL JOIN (SELECT credit_id AS id, amount_cents AS cents FROM payouts_transfer
                  UNION ALL
                 SELECT debit_id, -amount_cents FROM payouts_transfer) AS moved
        ON moved.id = account.id
     GROUP BY account.id
    HAVING account.balance_cents IS DISTINCT FROM coalesce(sum(moved.cents), 0)
"""
SUM_OF_ALL_BALANCES: Final = "SELECT coalesce(sum(balance_cents), 0) FROM payouts_account"
_HELD_STAKES: Final = """
    SELECT (SELECT coalesce(sum(balance_cents), 0) FROM payouts_account WHERE kind = 'stakes_held'),
           (SELECT coalesce(sum(round.staked_cents), 0)
              FROM rounds_round AS round
              JOIN rounds_validation AS validation
                ON validation.round_id = round.id AND validation.status = 'held'
             WHERE NOT EXISTS (SELECT FROM payouts_settlement WHERE round_id = round.id))
"""
_LATEST: Final = """
    SELECT DISTINCT ON (round_id) * FROM payouts_settlement ORDER BY round_id, sequence DESC
"""
# Each settlement on the day on which it is booked; there the one before it no longer counts.
_BOOKED: Final = """
    SELECT round_id, sequence, kind, booked_on AS day, 1 AS sign FROM payouts_settlement
     UNION ALL
    SELECT before.round_id, before.sequence, before.kind, further.booked_on, -1
      FROM payouts_settlement AS further JOIN payouts_settlement AS before
        ON (before.round_id, before.sequence) = (further.round_id, further.sequence - 1)
"""
_DAYS_OTHERWISE_THAN_ROUNDS: Final = f"""
    SELECT day, table_id, rules, sum(rounds), sum(void_rounds)
      FROM (SELECT day, table_id, rules, rounds, void_rounds FROM payouts_dailyrounds
             UNION ALL
            SELECT settled.day, round.table_id, round.rules, -sign,
                   -sign * (settled.kind = 'void')::int
              FROM ({_BOOKED}) AS settled JOIN rounds_round AS round ON round.id = settled.round_id
           ) AS totals
     GROUP BY day, table_id, rules HAVING (sum(rounds), sum(void_rounds)) <> (0, 0)
"""
_DAYS_OTHERWISE_THAN_BETS: Final = f"""
    SELECT day, table_id, rules, kind
      FROM (SELECT day, table_id, rules, kind, bets, void_bets, staked_cents, staked_chips_cents,
                   payout_cents, payout_chips_cents
              FROM payouts_dailybets
             UNION ALL
            SELECT settled.day, round.table_id, round.rules, bet.kind, -sign,
                   -sign * (paid.outcome = 'void')::int,
                   -sign * (bet.stake_cents + bet.raised_cents),
                   -sign * CASE WHEN bet.golden THEN bet.stake_cents ELSE 0 END,
                   -sign * paid.payout_cents, -sign * paid.chips_cents
              FROM ({_BOOKED}) AS settled
              JOIN rounds_round AS round ON round.id = settled.round_id
              JOIN rounds_bet AS bet ON bet.round_id = settled.round_id
              JOIN payouts_betsettlement AS paid
                ON (paid.round_id, paid.sequence, paid.bet_number)
                 = (settled.round_id, settled.sequence, bet.number)
           ) AS totals
     GROUP BY day, table_id, rules, kind
    HAVING (sum(bets), sum(void_bets), sum(staked_cents), sum(staked_chips_cents),
            sum(payout_cents), sum(payout_chips_cents)) <> (0, 0, 0, 0, 0, 0)
"""
# Replay knows no table and so no limits (contract, detail 14).
_HELD_FOR_LIMITS: Final = """
    SELECT round.reference
      FROM rounds_round AS round
      JOIN rounds_validation AS validation ON validation.round_id = round.id
     WHERE validation.anomalies = '{stake-limits}'
"""
_PAID_BY_DECISION: Final = f"""
    SELECT round.reference, customer.pseudonym,
           CASE WHEN settled.kind = 'void' THEN bet.stake_cents + bet.raised_cents
                ELSE paid.payout_cents END
      FROM ({_LATEST}) AS settled
      JOIN rounds_round AS round ON round.id = settled.round_id
      JOIN rounds_bet AS bet ON bet.round_id = settled.round_id
      JOIN rounds_customer AS customer ON customer.id = bet.customer_id
      JOIN payouts_betsettlement AS paid
        ON (paid.round_id, paid.sequence, paid.bet_number)
         = (settled.round_id, settled.sequence, bet.number)
     WHERE settled.kind = 'void' AND settled.approved_by IS NOT NULL
        OR EXISTS (SELECT FROM rounds_storedruling AS ruled
                    WHERE (ruled.round_id, ruled.sequence) = (settled.round_id, settled.sequence))
"""
_CUSTOMERS: Final = """
    SELECT customer.pseudonym, sum(theirs.cents)
      FROM (SELECT customer_id, balance_cents AS cents FROM payouts_account
             UNION ALL
            SELECT debit_id / 8, amount_cents FROM payouts_transfer WHERE purpose = 'paid_over'
           ) AS theirs
      JOIN rounds_customer AS customer ON customer.id = theirs.customer_id
     GROUP BY customer.pseudonym
    HAVING sum(theirs.cents) <> 0
"""
_PAID_FIRST: Final = """
    SELECT round.reference, settled.payout_cents
      FROM payouts_settlement AS settled JOIN rounds_round AS round ON round.id = settled.round_id
     WHERE settled.sequence = 1 AND settled.approved_by IS NULL
"""
NEVER_FOUND: Final = (
    SETTLED_OTHERWISE_THAN_ONCE,
    _SETTLED_WITHOUT_A_SETTLEMENT,
    _SETTLED_ALTHOUGH_HELD,
    _SEQUENCES_WITH_GAPS,
    _NOT_TAKEN_BACK_ONCE,
    _REVERSALS_OF_NOTHING,
    BALANCES_UNLIKE_TRANSFERS,
    _DAYS_OTHERWISE_THAN_ROUNDS,
    _DAYS_OTHERWISE_THAN_BETS,
)


def assert_books_are_right(feed: Iterable[bytes]) -> None:
    """Every bet settled once, the ledger sums to zero, every customer has the result of replay.

    Amounts paid over count as received, debts as not received.
    """
    lines = list(feed)

    assert rows_of("SELECT 1 FROM rounds_queuedround") == [], "rounds still wait"
    for query in NEVER_FOUND:
        rows = rows_of(query)
        assert rows == [], f"{rows}: {query}"
    assert rows_of(SUM_OF_ALL_BALANCES) == [(0,)]
    [(held_by_ledger, held_by_rounds)] = rows_of(_HELD_STAKES)
    assert held_by_ledger == held_by_rounds
    booked, replayed = dict(rows_of(_CUSTOMERS)), _paid_in_the_end(lines)
    different = {
        customer: (booked.get(customer), replayed.get(customer))
        for customer in booked.keys() | replayed.keys()
        if booked.get(customer) != replayed.get(customer)
    }
    assert not different, f"booked and replayed, in cents: {different}"


def _paid_in_the_end(lines: list[bytes]) -> dict[str, int]:
    """The credit of each customer: by replay, unless two persons decided otherwise.

    A void returns the stakes; other rulings are checked by reconciliation, not by replay.
    """
    beyond_limits = {reference for (reference,) in rows_of(_HELD_FOR_LIMITS)}
    by_decision = rows_of(_PAID_BY_DECISION)
    decided = {reference for reference, *_ in by_decision}
    paid = Counter(paid_by_replay(lines, without=beyond_limits | decided))
    for _reference, customer, cents in by_decision:
        paid[customer] += cents
    return {customer: cents for customer, cents in paid.items() if cents}


def paid_by_replay(lines: list[bytes], *, without: Collection[str]) -> dict[str, int]:
    """The credit of each customer in cents by replay, without some rounds."""
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
                paid[customers[result["round"], bet_id]] += _cents(graded["payout"])
    return {customer: cents for customer, cents in paid.items() if cents}


def payments_unlike_replay(feed: Iterable[bytes]) -> list[str]:
    """Rounds that workers paid otherwise than replay, as sentences.

    Replay judges the cards outside of the database. What people decided is left out.
    """
    paid = dict(rows_of(_PAID_FIRST))
    different = []
    for result in replay_lines(feed):
        reference = result["round"]
        if result["status"] in {"settled", "void"} and reference in paid:
            cents = sum(_cents(bet["payout"]) for bet in result["bets"].values())
            if cents != paid[reference]:
                different.append(f"{reference}: {paid[reference]} instead of {cents} cents")
    return different


def _cents(amount: str) -> int:
    euro, cents = amount.split(".")
    return int(euro) * 100 + int(cents)


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def rows_of(query: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(query)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows

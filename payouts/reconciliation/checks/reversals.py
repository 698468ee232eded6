"""Reversals and shortfalls of further settlements."""

from typing import Final
from uuid import UUID

from compliance.trail.key_ranges import KeyRange
from payouts.reconciliation.checks.differences import CheckResult, Kind, RoundName
from payouts.reconciliation.checks.snapshot import Fetch, fetch_rows

# The transfers that a further settlement had to reverse, and its reversals.
_REVERSALS: Final = """
    SELECT * FROM (
        SELECT coalesce(posted.origin, back.origin) AS origin, r.reference, posted.entry,
               posted.line, posted.credit_id, posted.debit_id, posted.amount_cents,
               posted.bet_number,
               back.entry AS back_entry, back.line AS back_line, back.debit_id AS back_debit,
               back.credit_id AS back_credit, back.amount_cents AS back_cents,
               back.bet_number AS back_bet,
               count(back.line) OVER (PARTITION BY posted.origin, posted.entry, posted.line)
               AS times
          FROM (SELECT replaced.* FROM payouts_transfer AS replaced
                  JOIN payouts_settlement AS further
                    ON further.round_id = replaced.origin AND further.sequence = replaced.entry + 1
                 WHERE {replaced} AND {further} AND replaced.entry > 0
                   AND replaced.purpose <> 'reversal') AS posted
          FULL JOIN (SELECT * FROM payouts_transfer
                      WHERE {origin} AND purpose = 'reversal') AS back
            ON back.origin = posted.origin AND back.entry = posted.entry + 1
           AND back.reverses_entry = posted.entry AND back.reverses_line = posted.line
          LEFT JOIN rounds_round AS r ON r.id = coalesce(posted.origin, back.origin)) AS pairs
     WHERE (credit_id, debit_id, amount_cents, bet_number)
           IS DISTINCT FROM (back_debit, back_credit, back_cents, back_bet)
        OR entry IS NOT NULL AND times <> 1
     ORDER BY origin, entry, line, back_entry, back_line
"""
_FIELDS: Final = ("debit", "credit", "cents", "bet")
# Debited to the customer's receivable, at most what the entry debits the account.
_SHORTFALLS: Final = """
    SELECT short.origin, r.reference, short.entry, short.line, short.debit_id, short.credit_id,
           short.amount_cents, short.bet_number, taken.cents
      FROM payouts_transfer AS short
     CROSS JOIN LATERAL (
           SELECT coalesce(sum(CASE WHEN debit_id = short.credit_id THEN amount_cents
                                    ELSE -amount_cents END), 0)::bigint AS cents
             FROM payouts_transfer
            WHERE origin = short.origin AND entry = short.entry AND purpose <> 'shortfall'
              AND (debit_id = short.credit_id OR credit_id = short.credit_id)) AS taken
      LEFT JOIN rounds_round AS r ON r.id = short.origin
     WHERE {short} AND short.purpose = 'shortfall'
       AND NOT (short.credit_id >= 0 AND mod(short.credit_id, 8) < 2
                AND short.debit_id = short.credit_id + 2 AND short.amount_cents <= taken.cents
                AND short.bet_number IS NULL)
     ORDER BY short.origin, short.entry, short.line
"""


def check_reversals(keys: KeyRange, result: CheckResult, fetch: Fetch = fetch_rows) -> None:
    """Checks that each transfer of a replaced settlement is reversed once, to the cent."""
    columns = {
        "replaced": keys.holds("replaced.origin"),
        "further": keys.holds("further.round_id"),
        "origin": keys.holds("origin"),
    }
    for origin, reference, entry, line, *rest in fetch(_REVERSALS.format(**columns)):
        posted, (back_entry, back_line), back, times = rest[:4], rest[4:6], rest[6:10], rest[10]
        reversal = {"entry": back_entry, "line": back_line, **dict(zip(_FIELDS, back, strict=True))}
        result.add(
            _named(origin, reference).differs(
                Kind.REVERSAL,
                None if back_entry is None else reversal,
                None if entry is None else dict(zip(_FIELDS, posted, strict=True)),
                entry=entry,
                line=line,
                **({"times": times} if times > 1 else {}),
            )
        )


def check_shortfalls(keys: KeyRange, result: CheckResult, fetch: Fetch = fetch_rows) -> None:
    """Checks that a shortfall is owed by its customer and is at most what was reversed."""
    query = _SHORTFALLS.format(short=keys.holds("short.origin"))
    for origin, reference, entry, line, debit, credit, cents, bet, taken in fetch(query):
        result.add(
            _named(origin, reference).differs(
                Kind.SHORTFALL,
                {"debit": debit, "credit": credit, "cents": cents, "bet": bet},
                {"most_cents": taken, "bet": None},
                entry=entry,
                line=line,
            )
        )


def _named(origin: UUID, reference: str | None) -> RoundName:
    return RoundName(origin, reference or str(origin))

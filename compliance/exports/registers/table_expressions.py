"""SQL: common table expressions shared by registers.

A day is the booking day (``rounds.booking_day``). A register lists the expressions that it needs,
in the order of this module.
"""

from typing import Final

from rounds.gaming_day import gaming_day_sql

IN_SCOPE: Final = """
    (%(game)s::text IS NULL OR split_part(round.rules, '/', 1) = %(game)s)
    AND (%(rules)s::text IS NULL OR round.rules = %(rules)s)
    AND (%(table)s::text IS NULL
         OR round.table_id = (SELECT id FROM rounds_table WHERE code = %(table)s))
    AND (%(customer_id)s::bigint IS NULL
         OR round.id IN (SELECT round_id FROM rounds_bet WHERE customer_id = %(customer_id)s))
"""
"""SQL condition: the round is in the scope."""
OF_CUSTOMER: Final = "(%(customer_id)s::bigint IS NULL OR bet.customer_id = %(customer_id)s)"
"""SQL condition: the bet belongs to the customer of the scope, if any."""
_IN_SPAN: Final = "BETWEEN %(first)s::uuid AND %(last)s::uuid"
"""Range of the round ids of the days, for partition pruning."""

BOOKED: Final = f"""
    booked AS (
        SELECT round.id, round.reference, round.session, round.table_id, round.rules,
               round.rules_digest, round.opened_at, round.closed_at, round.ended_at,
               round.malfunction,
               {gaming_day_sql("round.opened_at")} AS play_day
          FROM rounds_round AS round
         WHERE round.booked_on BETWEEN %(first_day)s AND %(last_day)s AND {IN_SCOPE}
           AND round.id {_IN_SPAN}
    )
"""
"""The rounds booked on the days."""

CHANGED: Final = f"""
    changed AS (
        SELECT settled.round_id, settled.sequence, settled.kind, settled.settled_at, settled.actor,
               settled.approved_by, settled.reason, settled.rules, settled.rules_digest,
               round.reference, round.session, round.table_id, round.booked_on AS round_on,
               before.kind AS kind_before, ruling.said AS ruling
          FROM payouts_settlement AS settled
          JOIN rounds_round AS round ON round.id = settled.round_id
          LEFT JOIN payouts_settlement AS before
            ON before.round_id = settled.round_id AND before.sequence = settled.sequence - 1
          LEFT JOIN rounds_storedruling AS ruling
            ON ruling.round_id = settled.round_id AND ruling.sequence = settled.sequence
         WHERE settled.booked_on BETWEEN %(first_day)s AND %(last_day)s AND {IN_SCOPE}
           AND (settled.sequence > 1 OR round.booked_on < settled.booked_on)
    )
"""
"""Settlements booked on the days that follow another one, or settle a round of an earlier day."""

# Ordered by booking day first: late rounds never change a reported number.
NUMBERED: Final = """
    numbered AS (
        SELECT round.id, round.session, round.opened_at,
               row_number() OVER (PARTITION BY round.session
                                      ORDER BY round.booked_on, round.opened_at, round.id) AS stage
          FROM rounds_round AS round
         WHERE round.session = ANY (ARRAY(SELECT session FROM booked))
           AND round.booked_on <= %(last_day)s
    )
"""
"""Every stage of the sessions of the day up to that day, with its number."""

NUMBERED_CHANGED: Final = NUMBERED.replace("numbered AS", "renumbered AS").replace(
    "FROM booked", "FROM changed"
)
"""The same for the sessions of the day's corrections."""

STAGED: Final = f"""
    staged AS (
        SELECT booked.*, numbered.stage, dealt_at.code AS table_code, latest.sequence, latest.kind,
               latest.settled_at
          FROM booked
          JOIN numbered ON numbered.id = booked.id
          JOIN rounds_table AS dealt_at ON dealt_at.id = booked.table_id
          LEFT JOIN (
               SELECT DISTINCT ON (settled.round_id)
                      settled.round_id, settled.sequence, settled.kind, settled.settled_at
                 FROM payouts_settlement AS settled
                WHERE settled.round_id {_IN_SPAN} AND settled.booked_on <= %(last_day)s
                ORDER BY settled.round_id, settled.sequence DESC
               ) AS latest ON latest.round_id = booked.id
    )
"""
"""The rounds of the day as numbered stages, with the latest settlement booked by then."""

_CASH: Final = "graded.payout_cents - graded.chips_cents"
MONEY: Final = f"""
    CASE WHEN bet.golden THEN 0 ELSE bet.stake_cents END + bet.raised_cents AS staked_cents,
    CASE WHEN bet.golden THEN bet.stake_cents ELSE 0 END AS staked_chips_cents,
    CASE WHEN graded.outcome = 'void' THEN {_CASH}
         WHEN graded.outcome IS NOT NULL THEN 0 END AS refunded_cents,
    CASE WHEN graded.outcome <> 'void' THEN {_CASH}
         WHEN graded.outcome IS NOT NULL THEN 0 END AS winnings_cents,
    graded.chips_cents AS returned_chips_cents
"""
"""Money columns of a bet and its settlement; NULL without a settlement."""

PLAYED: Final = f"""
    played AS (
        SELECT staged.id AS round_id, staged.session, staged.stage, staged.reference,
               staged.table_code, staged.rules, staged.ended_at, staged.sequence,
               bet.number, bet.reference AS bet_reference, bet.customer_id, bet.participation,
               bet.kind, bet.box, bet.stake_cents, bet.raised_cents, bet.golden, bet.behind,
               bet.placed_at, graded.outcome, graded.reasons, {MONEY}
          FROM staged
          JOIN rounds_bet AS bet ON bet.round_id = staged.id AND bet.round_id {_IN_SPAN}
           AND {OF_CUSTOMER}
          LEFT JOIN payouts_betsettlement AS graded
            ON graded.round_id = bet.round_id AND graded.bet_number = bet.number
           AND graded.sequence = staged.sequence AND graded.round_id {_IN_SPAN}
    )
"""
"""The bets of the day's stages, with their payouts booked by then."""

SUMS: Final = """
    count(*) AS bets,
    count(*) FILTER (WHERE outcome = 'void') AS void_bets,
    sum(staked_cents)::bigint AS staked_cents,
    coalesce(sum(staked_cents) FILTER (WHERE outcome IS NULL), 0)::bigint AS open_cents,
    coalesce(sum(refunded_cents), 0)::bigint AS refunded_cents,
    coalesce(sum(winnings_cents), 0)::bigint AS winnings_cents,
    coalesce(sum(staked_cents - refunded_cents - winnings_cents), 0)::bigint AS difference_cents,
    sum(staked_chips_cents)::bigint AS staked_chips_cents,
    coalesce(sum(returned_chips_cents), 0)::bigint AS returned_chips_cents
"""
"""Aggregates over ``played``."""

SUM_NAMES: Final = (
    "bets",
    "void_bets",
    "staked_cents",
    "open_cents",
    "refunded_cents",
    "winnings_cents",
    "difference_cents",
    "staked_chips_cents",
    "returned_chips_cents",
)


SUMMED: Final = ", ".join(f"sum({name})::bigint AS {name}" for name in SUM_NAMES)
"""Aggregates over rows of ``SUMS``."""


def sums_or_nothing(of: str) -> str:
    """The columns of ``SUMS``, 0 for an outer join without bets."""
    return ", ".join(f"coalesce({of}.{name}, 0) AS {name}" for name in SUM_NAMES)


BY_ROUND: Final = f"""
    by_round AS (SELECT round_id, {SUMS} FROM played GROUP BY round_id)
"""
"""Aggregates per stage of the day."""

PAID: Final = f"""
    paid AS (
        SELECT changed.round_id, changed.sequence, graded.sequence AS paid_by,
               bet.customer_id, graded.outcome, {MONEY}
          FROM changed
          JOIN rounds_bet AS bet ON bet.round_id = changed.round_id AND {OF_CUSTOMER}
          JOIN payouts_betsettlement AS graded
            ON graded.round_id = bet.round_id AND graded.bet_number = bet.number
           AND graded.sequence IN (changed.sequence - 1, changed.sequence)
    )
"""
"""The bets of the day's corrections, with their payouts before and after."""

CORRECTED: Final = f"""
    {PAID}, paid_total AS (
        SELECT round_id, sequence, paid_by, {SUMS} FROM paid GROUP BY round_id, sequence, paid_by
    ), corrected AS (
        SELECT changed.*, dealt_at.code AS table_code,
               CASE WHEN changed.kind = 'void' THEN 'cancel'
                    WHEN changed.sequence = 1 THEN 'complete'
                    WHEN changed.kind_before = 'void' OR changed.ruling - 'refunded' <> '{{}}'
                    THEN 'replace' ELSE 'adjust' END AS action,
               coalesce(paid_after.staked_cents, 0) AS staked_cents,
               CASE WHEN changed.sequence = 1 THEN coalesce(paid_after.staked_cents, 0)
                    ELSE 0 END AS open_before_cents,
               coalesce(paid_before.refunded_cents, 0) AS refunded_before_cents,
               coalesce(paid_before.winnings_cents, 0) AS winnings_before_cents,
               coalesce(paid_before.difference_cents, 0) AS difference_before_cents,
               coalesce(paid_before.returned_chips_cents, 0) AS returned_chips_before_cents,
               coalesce(paid_after.refunded_cents, 0) AS refunded_after_cents,
               coalesce(paid_after.winnings_cents, 0) AS winnings_after_cents,
               coalesce(paid_after.difference_cents, 0) AS difference_after_cents,
               coalesce(paid_after.returned_chips_cents, 0) AS returned_chips_after_cents
          FROM changed
          JOIN rounds_table AS dealt_at ON dealt_at.id = changed.table_id
          LEFT JOIN paid_total AS paid_after
            ON paid_after.round_id = changed.round_id AND paid_after.sequence = changed.sequence
           AND paid_after.paid_by = changed.sequence
          LEFT JOIN paid_total AS paid_before
            ON paid_before.round_id = changed.round_id AND paid_before.sequence = changed.sequence
           AND paid_before.paid_by = changed.sequence - 1
    )
"""
"""The day's corrections with money before and after. ``complete`` is the first settlement of
a round that was open at the end of its own day."""

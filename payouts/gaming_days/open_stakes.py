"""Stakes of a day that it did not settle, and stakes of earlier days that it settled.

They reconcile a day's figures, for cash and golden chips separately:

    staked - open + settled from earlier days = settled stakes
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from payouts.reconciliation.checks.snapshot import fetch_rows

# Only held or waiting rounds can be unsettled when their day is closed.
_OPEN_STAKES: Final = """
    WITH candidate AS (
        SELECT round_id FROM rounds_validation WHERE status = 'held'
         UNION SELECT round_id FROM rounds_queuedround
    ), booked AS (
        SELECT round.id, round.table_id, round.rules, round.staked_cents, round.booked_on AS day,
               true AS is_open
          FROM rounds_round AS round
         WHERE round.booked_on = ANY (%(days)s) AND round.id IN (SELECT round_id FROM candidate)
           AND NOT EXISTS (SELECT FROM payouts_settlement AS settled
                            WHERE settled.round_id = round.id
                              AND settled.booked_on <= round.booked_on)
         UNION ALL
        SELECT round.id, round.table_id, round.rules, round.staked_cents, settled.booked_on, false
          FROM payouts_settlement AS settled
          JOIN rounds_round AS round ON round.id = settled.round_id
         WHERE settled.booked_on = ANY (%(days)s) AND settled.sequence = 1
           AND settled.round_id IN (SELECT round_id FROM candidate)
           AND round.booked_on < settled.booked_on
    ), split AS (
        SELECT booked.*, (SELECT coalesce(sum(bet.stake_cents), 0) FROM rounds_bet AS bet
                           WHERE bet.round_id = booked.id AND bet.golden) AS chips_cents
          FROM booked
    )
    SELECT split.day, dealt_at.code, split.rules,
           coalesce(sum(staked_cents - chips_cents) FILTER (WHERE is_open), 0)::bigint,
           coalesce(sum(chips_cents) FILTER (WHERE is_open), 0)::bigint,
           coalesce(sum(staked_cents - chips_cents) FILTER (WHERE NOT is_open), 0)::bigint,
           coalesce(sum(chips_cents) FILTER (WHERE NOT is_open), 0)::bigint
      FROM split JOIN rounds_table AS dealt_at ON dealt_at.id = split.table_id
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


class OpenStakes(NamedTuple):
    """The open stakes of one day, table and rule set, in cents."""

    open_cents: int
    """Cash stakes of rounds of the day that it did not settle."""
    open_chips_cents: int
    earlier_cents: int
    """Cash stakes of rounds of earlier days that were first settled on this day."""
    earlier_chips_cents: int


NO_OPEN_STAKES: Final = OpenStakes(0, 0, 0, 0)


def open_stakes(days: Sequence[date]) -> Mapping[tuple[date, str, str], OpenStakes]:
    """Open stakes by day, table code and rule set. Those of a closed day never change."""
    rows = fetch_rows(_OPEN_STAKES, {"days": list(days)}) if days else []
    return {(day, table, rules): OpenStakes(*cents) for day, table, rules, *cents in rows}

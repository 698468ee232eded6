"""What each customer contributes to the tax base of a day."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final

from compliance.exports.registers.table_expressions import (
    BOOKED,
    CHANGED,
    NUMBERED,
    PAID,
    PLAYED,
    STAGED,
)
from compliance.exports.scope import Snapshot
from compliance.exports.sum_trees.merkle_sum_tree import Sums

# A correction of a round of an earlier day reverses the former settlement and counts the new one.
# Those of the day's own rounds are in its stages, as in the register of corrections.
_SUMS: Final = f"""
    WITH {BOOKED}, {NUMBERED}, {STAGED}, {PLAYED}, {CHANGED}, {PAID}, counted AS (
        SELECT rules, customer_id, outcome, staked_cents, refunded_cents, winnings_cents,
               false AS is_reversed
          FROM played
         UNION ALL
        SELECT changed.rules, paid.customer_id, paid.outcome, paid.staked_cents,
               paid.refunded_cents, paid.winnings_cents, paid.paid_by < paid.sequence
          FROM paid JOIN changed USING (round_id, sequence)
         WHERE changed.round_on < %(first_day)s
    ), valid AS (
        SELECT split_part(rules, '/', 1) COLLATE "C" AS game, customer_id, is_reversed,
               CASE WHEN outcome IS NULL THEN 0 ELSE staked_cents - refunded_cents END AS stakes,
               coalesce(winnings_cents, 0) AS winnings
          FROM counted
    )
    SELECT valid.game, customer.pseudonym,
           coalesce(sum(stakes) FILTER (WHERE NOT is_reversed), 0)::bigint,
           coalesce(sum(winnings) FILTER (WHERE NOT is_reversed), 0)::bigint,
           coalesce(sum(stakes) FILTER (WHERE is_reversed), 0)::bigint,
           coalesce(sum(winnings) FILTER (WHERE is_reversed), 0)::bigint
      FROM valid JOIN rounds_customer AS customer ON customer.id = valid.customer_id
     GROUP BY valid.game, customer.id ORDER BY valid.game
"""


def customer_sums(snapshot: Snapshot) -> Iterator[tuple[str, list[tuple[str, Sums]]]]:
    """Each game of a gaming day, with its customers by pseudonym.

    A customer whose bets are all open or void has sums of zero.
    """
    rows = snapshot.rows(_SUMS)
    for game, of_game in groupby(rows, key=itemgetter(0)):
        yield game, [(pseudonym, Sums(*cents)) for _game, pseudonym, *cents in of_game]

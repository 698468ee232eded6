"""What was booked on one day, as the tables of rounds, settlements, transfers and totals have it.

Each query asks a table of its own, so that what they give can be compared. Rounds are named by
table and rule set, money is in cents. Of a further settlement counts what it changes.
"""

from collections.abc import Iterable
from datetime import date
from typing import Final, NamedTuple

from payouts.reconciling.reading import rows_of

_TAKEN: Final = """
    SELECT table_id, rules, count(*), coalesce(sum(staked_cents), 0)::bigint
      FROM rounds_round WHERE booked_on = %(day)s GROUP BY table_id, rules
"""
_SETTLED: Final = """
    SELECT round.table_id, round.rules, count(*) FILTER (WHERE settled.sequence = 1),
           count(*) FILTER (WHERE settled.sequence > 1),
           sum((settled.kind = 'void')::int - coalesce(before.kind = 'void', false)::int)::bigint,
           sum(settled.staked_cents - coalesce(before.staked_cents, 0))::bigint,
           sum(settled.payout_cents - coalesce(before.payout_cents, 0))::bigint,
           sum(settled.chips_cents - coalesce(before.chips_cents, 0))::bigint
      FROM payouts_settlement AS settled
      JOIN rounds_round AS round ON round.id = settled.round_id
      LEFT JOIN payouts_settlement AS before
        ON before.round_id = settled.round_id AND before.sequence = settled.sequence - 1
     WHERE settled.booked_on = %(day)s
     GROUP BY round.table_id, round.rules
"""
_TOTALLED: Final = """
    SELECT table_id, rules, sum(rounds)::bigint, sum(void_rounds)::bigint,
           sum(staked_cents)::bigint, sum(staked_chips_cents)::bigint, sum(payout_cents)::bigint,
           sum(payout_chips_cents)::bigint
      FROM (SELECT table_id, rules, rounds, void_rounds, 0 AS staked_cents, 0 AS staked_chips_cents,
                   0 AS payout_cents, 0 AS payout_chips_cents
              FROM payouts_dailyrounds WHERE day = %(day)s
             UNION ALL
            SELECT table_id, rules, 0, 0, staked_cents, staked_chips_cents, payout_cents,
                   payout_chips_cents
              FROM payouts_dailybets WHERE day = %(day)s) AS kept
     GROUP BY table_id, rules
"""
# Accounts that rounds share have ids below zero; cash and golden chips have neighbouring ids.
_PLACE: Final = "CASE WHEN {0} < 0 THEN mod(-1 - {0}, 8) ELSE 8 + mod({0}, 8) END"
_MOVED: Final = f"""
    SELECT round.table_id, round.rules, booked.arrives, moved.purpose,
           {_PLACE.format("moved.debit_id")}, {_PLACE.format("moved.credit_id")},
           count(*), sum(moved.amount_cents)::bigint
      FROM (SELECT id AS round_id, 0 AS entry, true AS arrives
              FROM rounds_round WHERE booked_on = %(day)s
             UNION ALL
            SELECT round_id, sequence, false
              FROM payouts_settlement WHERE booked_on = %(day)s) AS booked
      JOIN rounds_round AS round ON round.id = booked.round_id
      JOIN payouts_transfer AS moved
        ON moved.origin = booked.round_id AND moved.entry = booked.entry
     GROUP BY 1, 2, 3, 4, 5, 6
"""  # noqa: S608  no text from outside
_SINGLE: Final = f"""
    SELECT NULL::bigint, '', false, moved.purpose, {_PLACE.format("moved.debit_id")},
           {_PLACE.format("moved.credit_id")}, count(*), sum(moved.amount_cents)::bigint
      FROM (SELECT id FROM payouts_payover WHERE booked_on = %(day)s
             UNION ALL
            SELECT id FROM payouts_goodwillcredit WHERE booked_on = %(day)s) AS booked
      JOIN payouts_transfer AS moved ON moved.origin = booked.id
     GROUP BY 4, 5, 6
"""  # noqa: S608  no text from outside
# Whatever the day's end found held: later settlements are booked on later days.
_HELD: Final = """
    SELECT round.table_id, round.rules, count(*), sum(round.staked_cents)::bigint
      FROM rounds_round AS round
     WHERE round.booked_on <= %(day)s
       AND round.id IN (SELECT round_id FROM rounds_validation WHERE status = 'held')
       AND NOT EXISTS (SELECT FROM payouts_settlement AS settled
                        WHERE settled.round_id = round.id AND settled.booked_on <= %(day)s)
     GROUP BY round.table_id, round.rules
"""
_COUNTS: Final = """
    SELECT (SELECT count(*) FROM rounds_round WHERE booked_on = %(day)s),
           (SELECT count(*) FROM payouts_settlement WHERE booked_on = %(day)s),
           (SELECT count(*) FROM payouts_payover WHERE booked_on = %(day)s),
           (SELECT count(*) FROM payouts_goodwillcredit WHERE booked_on = %(day)s)
"""
_WALLET, _HELD_STAKES, _HOUSE = 0, 2, 4

Where = tuple[int, str]
"""A table's id and a rule set."""


class Settled(NamedTuple):
    """What the settlements booked on the day say."""

    rounds: int
    corrections: int
    void_rounds: int
    staked_cents: int
    payout_cents: int
    payout_chips_cents: int


class Totalled(NamedTuple):
    """What the daily totals of the day say."""

    rounds: int
    void_rounds: int
    staked_cents: int
    staked_chips_cents: int
    payout_cents: int
    payout_chips_cents: int


class Moved(NamedTuple):
    """Transfers of one purpose between accounts of two kinds."""

    where: Where | None
    """None of what is about no round."""
    arrives: bool
    purpose: str
    debit: int
    credit: int
    transfers: int
    cents: int

    @property
    def is_chips(self) -> bool:
        """Whether it moves golden chips."""
        return self.credit % 2 == 1


class Booked(NamedTuple):
    """All that was booked on a day."""

    taken: dict[Where, tuple[int, int]]
    """Rounds, and the cents that were staked in them."""
    settled: dict[Where, Settled]
    totalled: dict[Where, Totalled]
    moved: list[Moved]
    held: dict[Where, tuple[int, int]]
    """Rounds that were held when the day ended, of whatever day, and the cents staked in them."""

    def out_of_stakes_held(self, where: Where, *, chips: bool) -> int:
        """The cents that settlements took from the stakes held, what came back taken off."""
        return -self._into(_HELD_STAKES, where, chips=chips)

    def into_house(self, where: Where, *, chips: bool) -> int:
        """The cents that settlements gave the house, what it paid taken off."""
        return self._into(_HOUSE, where, chips=chips)

    def stakes_taken(self, where: Where, *, chips: bool) -> int:
        """The cents that arrivals took from the operator's wallet."""
        place = _WALLET + chips
        return sum(
            [m.cents for m in self.moved if m.where == where and m.arrives and m.debit == place]
        )

    def _into(self, account: int, where: Where, *, chips: bool) -> int:
        place = account + chips
        moved = [m for m in self.moved if m.where == where and not m.arrives]
        return sum([m.cents * ((m.credit == place) - (m.debit == place)) for m in moved])


def booked_on(day: date) -> Booked:
    """What was booked on the day."""
    asked = {"day": day}
    return Booked(
        {(table, rules): (rounds, cents) for table, rules, rounds, cents in rows_of(_TAKEN, asked)},
        {(table, rules): Settled(*sums) for table, rules, *sums in rows_of(_SETTLED, asked)},
        {(table, rules): Totalled(*sums) for table, rules, *sums in rows_of(_TOTALLED, asked)},
        [*_moved(rows_of(_MOVED, asked)), *_moved(rows_of(_SINGLE, asked))],
        {(table, rules): (rounds, cents) for table, rules, rounds, cents in rows_of(_HELD, asked)},
    )


def bookings_of(day: date) -> tuple[int, ...]:
    """How many rounds, settlements, pay-overs and credits there are of the day.

    None is ever changed or taken away: where two counts are the same, so is all that was counted.
    """
    [counts] = rows_of(_COUNTS, {"day": day})
    return counts


def _moved(rows: Iterable[tuple[object, ...]]) -> Iterable[Moved]:
    for table, rules, *moved in rows:
        yield Moved(None if table is None else (table, rules), *moved)  # type: ignore[arg-type]

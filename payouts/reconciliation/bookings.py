"""The bookings of one day, from rounds, settlements, transfers and daily totals.

Each query reads one source, so that the results can be compared. Figures are by table and rule set,
amounts in cents. A further settlement counts as its difference from the one before.
"""

from collections.abc import Iterable
from datetime import date
from typing import Final, NamedTuple

from payouts.reconciliation.checks.snapshot import fetch_rows

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
              FROM payouts_dailybets WHERE day = %(day)s) AS totals
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
"""
_SINGLE: Final = f"""
    SELECT NULL::bigint, '', false, moved.purpose, {_PLACE.format("moved.debit_id")},
           {_PLACE.format("moved.credit_id")}, count(*), sum(moved.amount_cents)::bigint
      FROM (SELECT id FROM payouts_payover WHERE booked_on = %(day)s
             UNION ALL
            SELECT id FROM payouts_goodwillcredit WHERE booked_on = %(day)s) AS booked
      JOIN payouts_transfer AS moved ON moved.origin = booked.id
     GROUP BY 4, 5, 6
"""
# Rounds that were held when the day ended: later settlements are booked on later days.
HELD_ROUNDS: Final = """
      FROM rounds_round AS round
     WHERE round.booked_on <= %(day)s
       AND round.id IN (SELECT round_id FROM rounds_validation WHERE status = 'held')
       AND NOT EXISTS (SELECT FROM payouts_settlement AS settled
                        WHERE settled.round_id = round.id AND settled.booked_on <= %(day)s)
"""
_HELD: Final = f"""
    SELECT round.table_id, round.rules, count(*), sum(round.staked_cents)::bigint
    {HELD_ROUNDS} GROUP BY round.table_id, round.rules
"""
_COUNTS: Final = """
    SELECT (SELECT count(*) FROM rounds_round WHERE booked_on = %(day)s),
           (SELECT count(*) FROM payouts_settlement WHERE booked_on = %(day)s),
           (SELECT count(*) FROM payouts_payover WHERE booked_on = %(day)s),
           (SELECT count(*) FROM payouts_goodwillcredit WHERE booked_on = %(day)s)
"""
_WALLET, _HELD_STAKES, _HOUSE = 0, 2, 4

GameKey = tuple[int, str]
"""A table's id and a rule set."""


class SettlementSums(NamedTuple):
    """The sums of the settlements booked on the day."""

    rounds: int
    corrections: int
    void_rounds: int
    staked_cents: int
    payout_cents: int
    payout_chips_cents: int


NO_SETTLEMENTS: Final = SettlementSums(0, 0, 0, 0, 0, 0)


class DailyTotalSums(NamedTuple):
    """The sums of the daily totals of the day."""

    rounds: int
    void_rounds: int
    staked_cents: int
    staked_chips_cents: int
    payout_cents: int
    payout_chips_cents: int


class TransferSum(NamedTuple):
    """Transfers of one purpose between accounts of two kinds."""

    game: GameKey | None
    """None without a round."""
    arrives: bool
    purpose: str
    debit: int
    credit: int
    transfers: int
    cents: int

    @property
    def is_chips(self) -> bool:
        """Whether the transfers are of golden chips."""
        return self.credit % 2 == 1


class DayBookings(NamedTuple):
    """The bookings of a day."""

    taken: dict[GameKey, tuple[int, int]]
    """Rounds and their stakes in cents."""
    settled: dict[GameKey, SettlementSums]
    totalled: dict[GameKey, DailyTotalSums]
    moved: list[TransferSum]
    held: dict[GameKey, tuple[int, int]]
    """Rounds of any day held when the day ended, and their stakes in cents."""

    def out_of_stakes_held(self, game: GameKey, *, chips: bool) -> int:
        """The net cents that settlements transferred from the stakes held."""
        return -self._into(_HELD_STAKES, game, chips=chips)

    def into_house(self, game: GameKey, *, chips: bool) -> int:
        """The net cents that settlements transferred to the house."""
        return self._into(_HOUSE, game, chips=chips)

    def stakes_taken(self, game: GameKey, *, chips: bool) -> int:
        """The cents that arriving rounds took from the operator's wallet."""
        place = _WALLET + chips
        return sum(
            [
                row.cents
                for row in self.moved
                if row.game == game and row.arrives and row.debit == place
            ]
        )

    def _into(self, account: int, game: GameKey, *, chips: bool) -> int:
        place = account + chips
        moved = [row for row in self.moved if row.game == game and not row.arrives]
        return sum([row.cents * ((row.credit == place) - (row.debit == place)) for row in moved])


def booked_on(day: date) -> DayBookings:
    """The bookings of the day."""
    arguments = {"day": day}
    return DayBookings(
        {
            (table, rules): (rounds, cents)
            for table, rules, rounds, cents in fetch_rows(_TAKEN, arguments)
        },
        {
            (table, rules): SettlementSums(*sums)
            for table, rules, *sums in fetch_rows(_SETTLED, arguments)
        },
        {
            (table, rules): DailyTotalSums(*sums)
            for table, rules, *sums in fetch_rows(_TOTALLED, arguments)
        },
        [*_moved(fetch_rows(_MOVED, arguments)), *_moved(fetch_rows(_SINGLE, arguments))],
        {
            (table, rules): (rounds, cents)
            for table, rules, rounds, cents in fetch_rows(_HELD, arguments)
        },
    )


def booking_counts(day: date) -> tuple[int, ...]:
    """The numbers of rounds, settlements, pay-overs and credits booked on the day.

    Bookings are append-only, so equal counts mean equal bookings.
    """
    [counts] = fetch_rows(_COUNTS, {"day": day})
    return counts


def _moved(rows: Iterable[tuple[object, ...]]) -> Iterable[TransferSum]:
    for table, rules, *moved in rows:
        yield TransferSum(None if table is None else (table, rules), *moved)  # type: ignore[arg-type]

"""The bookings of one day, from rounds, settlements, transfers and daily totals.

Each query reads one source, so that the results can be compared. Figures are by table and rule set,
amounts in cents. A further settlement counts as its difference from the one before.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from operator import add
from typing import Any, Final, NamedTuple

from compliance.trail.key_ranges import ALL_KEYS, KeyRange
from payouts.carried_forward.detached_months import detached_months
from payouts.carried_forward.models import CarriedDay
from payouts.reconciliation.checks.snapshot import Fetch, fetch_rows

_TAKEN: Final = """
    SELECT booked_on, table_id, rules, count(*), coalesce(sum(staked_cents), 0)::bigint
      FROM rounds_round AS round WHERE {round} GROUP BY 1, 2, 3
"""
_SETTLED: Final = """
    SELECT settled.booked_on, round.table_id, round.rules,
           count(*) FILTER (WHERE settled.sequence = 1),
           count(*) FILTER (WHERE settled.sequence > 1),
           sum((settled.kind = 'void')::int - coalesce(before.kind = 'void', false)::int)::bigint,
           sum(settled.staked_cents - coalesce(before.staked_cents, 0))::bigint,
           sum(settled.payout_cents - coalesce(before.payout_cents, 0))::bigint,
           sum(settled.chips_cents - coalesce(before.chips_cents, 0))::bigint
      FROM payouts_settlement AS settled
      JOIN rounds_round AS round ON round.id = settled.round_id AND {id}
      LEFT JOIN payouts_settlement AS before
        ON before.round_id = settled.round_id AND before.sequence = settled.sequence - 1
       AND {before}
     WHERE {settled}
     GROUP BY 1, 2, 3
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
    SELECT booked.booked_on, round.table_id, round.rules, booked.arrives, moved.purpose,
           {_PLACE.format("moved.debit_id")}, {_PLACE.format("moved.credit_id")},
           count(*), sum(moved.amount_cents)::bigint
      FROM (SELECT booked_on, id AS round_id, 0 AS entry, true AS arrives
              FROM rounds_round AS round WHERE {{round}}
             UNION ALL
            SELECT booked_on, round_id, sequence, false
              FROM payouts_settlement AS settled WHERE {{settled}}) AS booked
      JOIN rounds_round AS round ON round.id = booked.round_id AND {{id}}
      JOIN payouts_transfer AS moved
        ON moved.origin = booked.round_id AND moved.entry = booked.entry AND {{origin}}
     GROUP BY 1, 2, 3, 4, 5, 6, 7
"""
_SINGLE: Final = f"""
    SELECT booked.booked_on, NULL::bigint, '', false, moved.purpose,
           {_PLACE.format("moved.debit_id")}, {_PLACE.format("moved.credit_id")}, count(*),
           sum(moved.amount_cents)::bigint
      FROM (SELECT booked_on, id FROM payouts_payover AS single WHERE {{single}}
             UNION ALL
            SELECT booked_on, id FROM payouts_goodwillcredit AS single WHERE {{single}}) AS booked
      JOIN payouts_transfer AS moved ON moved.origin = booked.id AND {{origin}}
     GROUP BY 1, 5, 6, 7
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
_ONCE_HELD: Final = """
    SELECT round.table_id, round.rules, round.staked_cents, round.booked_on, settled.booked_on
      FROM rounds_round AS round
      JOIN payouts_settlement AS settled ON settled.round_id = round.id AND settled.sequence = 1
     WHERE {id} AND round.id IN (SELECT round_id FROM rounds_validation WHERE status = 'held')
       AND settled.booked_on > round.booked_on
"""
_COUNTS: Final = """
    SELECT (SELECT count(*) FROM rounds_round WHERE booked_on = %(day)s),
           (SELECT count(*) FROM payouts_settlement WHERE booked_on = %(day)s),
           (SELECT count(*) FROM payouts_payover WHERE booked_on = %(day)s),
           (SELECT count(*) FROM payouts_goodwillcredit WHERE booked_on = %(day)s)
"""
_BOOKED: Final = (("taken", _TAKEN), ("settled", _SETTLED), ("moved", _MOVED), ("moved", _SINGLE))
_WALLET, _HELD_STAKES, _HOUSE = 0, 2, 4

BookingRows = dict[str, list[Sequence[Any]]]
"""Rows of a day by kind: table and rule set, then the values of the class of that kind."""

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
    """The bookings of the day, with those of detached months as they were carried forward."""
    arguments = {"day": day}
    rows: BookingRows = bookings_by_day(day=day).get(day, {})
    rows["held"] = list(fetch_rows(_HELD, arguments))
    every = [rows, *_carried_to(day)]
    return DayBookings(
        {game: (rounds, cents) for game, (rounds, cents) in _sums(every, "taken").items()},
        {game: SettlementSums(*sums) for game, sums in _sums(every, "settled").items()},
        {
            (table, rules): DailyTotalSums(*sums)
            for table, rules, *sums in fetch_rows(_TOTALLED, arguments)
        },
        [
            TransferSum(None if table is None else (table, rules), *moved)
            for rows in every
            for table, rules, *moved in rows.get("moved", ())
        ],
        {game: (rounds, cents) for game, (rounds, cents) in _sums(every, "held").items()},
    )


def bookings_by_day(
    fetch: Fetch = fetch_rows, *, day: date | None = None, keys: KeyRange = ALL_KEYS
) -> dict[date, BookingRows]:
    """The bookings of rounds, pay-overs and credits of a range, on one day or every day.

    Rows by kind: ``taken``, ``settled``, ``moved``. JSON values only.
    """
    on_day = "{0}.booked_on IS NOT NULL" if day is None else f"{{0}}.booked_on = '{day}'"
    conditions = {
        "round": f"{on_day.format('round')} AND {keys.holds('round.id')}",
        "settled": f"{on_day.format('settled')} AND {keys.holds('settled.round_id')}",
        "single": f"{on_day.format('single')} AND {keys.holds('single.id')}",
        "id": keys.holds("round.id"),
        "before": keys.holds("before.round_id"),
        "origin": keys.holds("moved.origin"),
    }
    days: defaultdict[date, BookingRows] = defaultdict(dict)
    for kind, query in _BOOKED:
        for booked_on, *row in fetch(query.format(**conditions)):
            days[booked_on].setdefault(kind, []).append(row)
    return days


def held_by_day(fetch: Fetch, keys: KeyRange) -> dict[date, list[Sequence[Any]]]:
    """The rows of ``held``: rounds of a range, by now settled, on each day that ended before."""
    held: defaultdict[date, defaultdict[GameKey, list[int]]]
    held = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    for table, rules, cents, first, settled in fetch(_ONCE_HELD.format(id=keys.holds("round.id"))):
        for number in range((settled - first).days):
            sums = held[first + timedelta(number)][table, rules]
            sums[0] += 1
            sums[1] += cents
    return {day: [[*game, *sums] for game, sums in games.items()] for day, games in held.items()}


def booking_counts(day: date) -> tuple[int, ...]:
    """The numbers of rounds, settlements, pay-overs and credits booked on the day.

    Bookings are append-only, so equal counts mean equal bookings.
    """
    [counts] = fetch_rows(_COUNTS, {"day": day})
    return counts


def _carried_to(day: date) -> list[BookingRows]:
    records = [month.record_id for month in detached_months()]
    return [it.sums for it in CarriedDay.objects.filter(day=day, record_id__in=records)]


def _sums(every: Iterable[BookingRows], kind: str) -> dict[GameKey, list[int]]:
    """The sums of the rows of this kind, by game."""
    sums: dict[GameKey, list[int]] = {}
    for rows in every:
        for table, rules, *figures in rows.get(kind, ()):
            before = sums.get((table, rules), [0] * len(figures))
            sums[table, rules] = list(map(add, before, figures))
    return sums

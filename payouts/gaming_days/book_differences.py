"""Comparing rounds, settlements, ledger and daily totals of one day, to the cent."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from payouts.reconciliation.bookings import NO_SETTLEMENTS, DailyTotalSums, DayBookings, GameKey
from payouts.reconciliation.checks.differences import Difference, Json, Kind
from payouts.reconciliation.checks.snapshot import fetch_rows
from payouts.reconciliation.control_totals import table_codes

_NO_TOTAL: Final = DailyTotalSums(0, 0, 0, 0, 0, 0)
_MOST: Final = 100
"""The most rounds that are named. A reconciliation names all."""

# The transfers of each round's bookings of the day, compared with its own rows.
_ROUNDS: Final = """
    SELECT round.id, round.reference, expected.entry, expected.held_cents, expected.house_cents,
           coalesce(moved.held_cents, 0), coalesce(moved.house_cents, 0)
      FROM (SELECT id AS round_id, 0 AS entry, staked_cents AS held_cents, 0 AS house_cents
              FROM rounds_round WHERE booked_on = %(day)s
             UNION ALL
            SELECT settled.round_id, settled.sequence,
                   coalesce(before.staked_cents, 0) - settled.staked_cents,
                   settled.staked_cents - coalesce(before.staked_cents, 0)
                   - settled.payout_cents + coalesce(before.payout_cents, 0)
              FROM payouts_settlement AS settled
              LEFT JOIN payouts_settlement AS before
                ON before.round_id = settled.round_id AND before.sequence = settled.sequence - 1
             WHERE settled.booked_on = %(day)s) AS expected
      JOIN rounds_round AS round ON round.id = expected.round_id
      LEFT JOIN LATERAL (
           SELECT sum(amount_cents * ((credit_id < 0 AND mod(-1 - credit_id, 8) IN (2, 3))::int
                                    - (debit_id < 0 AND mod(-1 - debit_id, 8) IN (2, 3))::int))
                  AS held_cents,
                  sum(amount_cents * ((credit_id < 0 AND mod(-1 - credit_id, 8) IN (4, 5))::int
                                    - (debit_id < 0 AND mod(-1 - debit_id, 8) IN (4, 5))::int))
                  AS house_cents
             FROM payouts_transfer AS moved
            WHERE moved.origin = expected.round_id AND moved.entry = expected.entry
           ) AS moved ON true
     WHERE (expected.held_cents, expected.house_cents)
           <> (coalesce(moved.held_cents, 0), coalesce(moved.house_cents, 0))
     ORDER BY round.id, expected.entry LIMIT %(most)s
"""


def book_differences(day: date, booked: DayBookings) -> list[Difference]:
    """The differing figures by table and rule set, and the rounds that cause them."""
    games = {*booked.taken, *booked.settled, *booked.totalled, *_moved(booked)}
    codes = table_codes({table for table, _rules in games})
    figures = [
        Difference(
            kind, {"day": day.isoformat(), "table": codes[table], "rules": rules}, found, needed
        )
        for table, rules in sorted(games)
        for kind, found, needed in _differences(booked, (table, rules))
    ]
    return [*_rounds(day), *figures] if figures else []


def _moved(booked: DayBookings) -> set[GameKey]:
    return {row.game for row in booked.moved if row.game is not None}


def _differences(booked: DayBookings, game: GameKey) -> Iterator[tuple[Kind, Json, Json]]:
    """Kind, found and expected figures of each difference of a game."""
    settled = booked.settled.get(game, NO_SETTLEMENTS)
    totalled = booked.totalled.get(game, _NO_TOTAL)
    _rounds, staked_cents = booked.taken.get(game, (0, 0))
    taken = booked.stakes_taken(game, chips=False) + booked.stakes_taken(game, chips=True)
    out, out_chips = (booked.out_of_stakes_held(game, chips=chips) for chips in (False, True))
    won, won_chips = (booked.into_house(game, chips=chips) for chips in (False, True))
    ledger = {
        "stakes_taken_cents": taken,
        "staked_cents": out + out_chips,
        "payout_cents": out + out_chips - won - won_chips,
        "payout_chips_cents": out_chips - won_chips,
    }
    expected = {
        "stakes_taken_cents": staked_cents,
        "staked_cents": settled.staked_cents,
        "payout_cents": settled.payout_cents,
        "payout_chips_cents": settled.payout_chips_cents,
    }
    if ledger != expected:
        yield Kind.DAY_LEDGER, ledger, expected
    rounds = {"rounds": settled.rounds, "void_rounds": settled.void_rounds}
    if rounds != {"rounds": totalled.rounds, "void_rounds": totalled.void_rounds}:
        stored = {"rounds": totalled.rounds, "void_rounds": totalled.void_rounds}
        yield Kind.DAY_ROUNDS, stored, rounds
    stored = {name: getattr(totalled, name) for name in (*list(expected)[1:], "staked_chips_cents")}
    bets = {**dict(list(expected.items())[1:]), "staked_chips_cents": out_chips}
    if stored != bets:
        yield Kind.DAY_BETS, stored, bets


def _rounds(day: date) -> Iterator[Difference]:
    for round_id, reference, entry, *cents in fetch_rows(_ROUNDS, {"day": day, "most": _MOST}):
        expected_held, expected_house, held, house = map(int, cents)
        yield Difference(
            Kind.DAY_LEDGER,
            {"round": reference, "entry": entry},
            {"held_cents": held, "house_cents": house},
            {"held_cents": expected_held, "house_cents": expected_house},
            round_id,
        )

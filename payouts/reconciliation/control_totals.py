"""The control totals of a gaming day, recorded at its closing."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from compliance.trail.encoding import json_of
from payouts.reconciliation.bookings import NO_SETTLEMENTS, DayBookings, GameKey
from rounds.models import Table

FIGURES: Final = (
    "rounds_taken",
    "rounds_settled",
    "void_rounds",
    "corrections",
    "stakes_taken_cents",
    "stakes_taken_chips_cents",
    "staked_cents",
    "staked_chips_cents",
    "payout_cents",
    "payout_chips_cents",
    "gross_win_cents",
    "held_rounds",
    "held_cents",
)
"""The figures of each table and rule set, and of all together.

Cash is in ``…_cents``, golden chips in ``…_chips_cents``, except that ``held_cents`` includes both.
Void stakes count as staked and as paid; gross win is cash alone.
"""

_ASSETS: Final = ("cash", "chips")


def control_totals(day: date, booked: DayBookings) -> dict[str, Any]:
    """The totals by table and rule set, of all together, and of the ledger by purpose.

    JSON values only; equal books give an equal value.
    """
    keys = {*booked.taken, *booked.settled, *booked.held}
    codes = table_codes({table for table, _rules in keys})
    games = [
        {
            "game": rules.partition("/")[0],
            "rules": rules,
            "table": codes[table],
            **_figures(booked, (table, rules)),
        }
        for table, rules in sorted(keys, key=lambda game: (game[1], codes[game[0]]))
    ]
    return {
        "day": day.isoformat(),
        "games": games,
        "all": summed(games),
        "ledger": _ledger(booked),
    }


def table_codes(tables: Iterable[int]) -> dict[int, str]:
    """The codes of these tables; the id for an unknown one."""
    known = dict(Table.objects.values_list("pk", "code"))
    return {table: known.get(table, f"#{table}") for table in tables}


def digest_of(totals: Mapping[str, Any]) -> bytes:
    """SHA-256 over the canonical JSON of control totals (``compliance.trail.encoding``)."""
    return hashlib.sha256(json_of(totals).encode()).digest()


def summed(lines: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The sums of the figures of several tables. A missing figure counts as zero."""
    sums = Counter[str]()
    for line in lines:
        sums.update({name: line.get(name, 0) for name in FIGURES})
    return {name: sums[name] for name in FIGURES}


def _figures(booked: DayBookings, game: GameKey) -> dict[str, int]:
    rounds, _staked_cents = booked.taken.get(game, (0, 0))
    settled = booked.settled.get(game, NO_SETTLEMENTS)
    staked_chips = booked.out_of_stakes_held(game, chips=True)
    staked = settled.staked_cents - staked_chips
    paid = settled.payout_cents - settled.payout_chips_cents
    held_rounds, held_cents = booked.held.get(game, (0, 0))
    values = (
        rounds,
        settled.rounds,
        settled.void_rounds,
        settled.corrections,
        booked.stakes_taken(game, chips=False),
        booked.stakes_taken(game, chips=True),
        staked,
        staked_chips,
        paid,
        settled.payout_chips_cents,
        staked - paid,
        held_rounds,
        held_cents,
    )
    return dict(zip(FIGURES, values, strict=True))


def _ledger(booked: DayBookings) -> dict[str, dict[str, dict[str, int]]]:
    """The number and amount of transfers, by asset and purpose."""
    sums: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in booked.moved:
        sums[_ASSETS[row.is_chips], row.purpose].update(
            {"transfers": row.transfers, "cents": row.cents}
        )
    return {
        asset: {
            purpose: {"transfers": figures["transfers"], "cents": figures["cents"]}
            for (key, purpose), figures in sorted(sums.items())
            if key == asset
        }
        for asset in _ASSETS
    }

"""The control totals of a gaming day: what is put on record when it is closed."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from compliance.trail.encoding import json_of
from payouts.closing.booked import Booked, Settled, Where
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
"""Of each table and rule set, and of all together.

Cash is in ``…_cents``, golden chips apart in ``…_chips_cents``, except that the stakes of held
rounds are both together. Void stakes count as staked and as paid; gross win is cash alone.
"""

_NOTHING: Final = Settled(0, 0, 0, 0, 0, 0)
_ASSETS: Final = ("cash", "chips")


def control_totals(day: date, booked: Booked) -> dict[str, Any]:
    """The totals by table and rule set, of all together, and of the ledger by purpose.

    JSON values only; equal books give an equal value.
    """
    places = {*booked.taken, *booked.settled, *booked.held}
    codes = codes_of({table for table, _rules in places})
    games = [
        {
            "game": rules.partition("/")[0],
            "rules": rules,
            "table": codes[table],
            **_figures(booked, (table, rules)),
        }
        for table, rules in sorted(places, key=lambda one: (one[1], codes[one[0]]))
    ]
    return {
        "day": day.isoformat(),
        "games": games,
        "all": summed(games),
        "ledger": _ledger(booked),
    }


def codes_of(tables: Iterable[int]) -> dict[int, str]:
    """The codes of these tables; of one that is not there, its id."""
    known = dict(Table.objects.values_list("pk", "code"))
    return {table: known.get(table, f"#{table}") for table in tables}


def digest_of(totals: Mapping[str, Any]) -> bytes:
    """SHA-256 over the canonical JSON of control totals (``compliance.trail.encoding``)."""
    return hashlib.sha256(json_of(totals).encode()).digest()


def summed(lines: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The figures of several tables together; one that a line lacks counts as nothing."""
    sums = Counter[str]()
    for line in lines:
        sums.update({name: line.get(name, 0) for name in FIGURES})
    return {name: sums[name] for name in FIGURES}


def _figures(booked: Booked, where: Where) -> dict[str, int]:
    rounds, _staked_cents = booked.taken.get(where, (0, 0))
    settled = booked.settled.get(where, _NOTHING)
    staked_chips = booked.out_of_stakes_held(where, chips=True)
    staked = settled.staked_cents - staked_chips
    paid = settled.payout_cents - settled.payout_chips_cents
    held_rounds, held_cents = booked.held.get(where, (0, 0))
    values = (
        rounds,
        settled.rounds,
        settled.void_rounds,
        settled.corrections,
        booked.stakes_taken(where, chips=False),
        booked.stakes_taken(where, chips=True),
        staked,
        staked_chips,
        paid,
        settled.payout_chips_cents,
        staked - paid,
        held_rounds,
        held_cents,
    )
    return dict(zip(FIGURES, values, strict=True))


def _ledger(booked: Booked) -> dict[str, dict[str, dict[str, int]]]:
    """By asset and purpose how many transfers there were, and what they moved."""
    sums: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for moved in booked.moved:
        sums[_ASSETS[moved.is_chips], moved.purpose].update(
            {"transfers": moved.transfers, "cents": moved.cents}
        )
    return {
        asset: {
            purpose: {"transfers": found["transfers"], "cents": found["cents"]}
            for (of, purpose), found in sorted(sums.items())
            if of == asset
        }
        for asset in _ASSETS
    }

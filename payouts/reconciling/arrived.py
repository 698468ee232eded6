"""How a round arrived against the record of its arrival, and the name by which it is known."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from payouts.reconciling.books import BookedArrival
from payouts.reconciling.found import Found, Kind, RoundName
from payouts.reconciling.told import Told, moment_words
from rounds.known import known_digest


def compare_arrival(
    name: RoundName,
    booked: BookedArrival,
    records: Sequence[Told],
    found: Found,
    *,
    played_on: date,
) -> None:
    """That it arrived once, as it is on record, and is the only round of its name.

    Where the record names no day it was booked on the day of play. What records of earlier releases
    do not say is not compared.
    """
    kept, needed = _named(booked), {"round": str(name.id), "digest": booked.digest.hex()}
    _tell_unlike(name, kept, needed, found)
    if len(records) != 1:
        found.add(name.differs(Kind.ON_RECORD, {"arrivals": len(records)}, {"arrivals": 1}))
        return
    [record] = records
    recorded = {
        "at": moment_words(record.at),
        "booked_on": record.text("booked_on") or played_on.isoformat(),
    }
    for member in ("source", "digest", "rules_digest", "known"):
        said = record.text(member)
        if said is not None:
            recorded[member] = said
    _tell_unlike(name, _stored(booked), recorded, found)


def _named(booked: BookedArrival) -> dict[str, Any]:
    return {
        "round": None if booked.name is None else str(booked.name),
        "digest": None if booked.name_digest is None else booked.name_digest.hex(),
    }


def _stored(booked: BookedArrival) -> dict[str, Any]:
    known = known_digest(
        arrival=booked.arrival,
        limit_set_id=booked.limit_set_id,
        position=booked.shoe_position,
        seen=booked.shoe_seen,
    )
    return {
        "at": moment_words(booked.received_at),
        "booked_on": booked.booked_on.isoformat(),
        "source": booked.source,
        "digest": booked.digest.hex(),
        "rules_digest": booked.rules_digest.hex(),
        "known": known.hex(),
    }


def _tell_unlike(
    name: RoundName, kept: dict[str, Any], needed: dict[str, Any], found: Found
) -> None:
    other = [member for member, value in needed.items() if kept[member] != value]
    if other:
        found.add(
            name.differs(
                Kind.ON_RECORD,
                {member: kept[member] for member in other},
                {member: needed[member] for member in other},
            )
        )

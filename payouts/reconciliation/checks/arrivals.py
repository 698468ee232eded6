"""The arrival of a round, against its audit record and its name."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from payouts.reconciliation.checks.audit_facts import RecordedFact, time_text
from payouts.reconciliation.checks.books import BookedArrival
from payouts.reconciliation.checks.differences import (
    CheckResult,
    Kind,
    RoundName,
    differing_members,
)
from rounds.feed.digest import digest_of_arrival


def compare_arrival(
    name: RoundName,
    booked: BookedArrival,
    records: Sequence[RecordedFact],
    result: CheckResult,
    *,
    played_on: date,
) -> None:
    """Checks that the round arrived once, as recorded, and has its name alone.

    A record without a booking day means the day of play. Members that records of earlier releases
    lack are not compared.
    """
    stored, needed = _named(booked), {"round": str(name.id), "digest": booked.digest.hex()}
    _compare(name, stored, needed, result)
    if len(records) != 1:
        result.add(name.differs(Kind.ON_RECORD, {"arrivals": len(records)}, {"arrivals": 1}))
        return
    [record] = records
    recorded = {
        "at": time_text(record.at),
        "booked_on": record.text("booked_on") or played_on.isoformat(),
        "anomalies": record.details.get("anomalies", []),
        "signed_batch": record.details.get("signed", {}).get("batch"),
    }
    for member in ("source", "digest", "rules_digest", "known"):
        value = record.text(member)
        if value is not None:
            recorded[member] = value
    _compare(name, _stored(booked), recorded, result)


def _named(booked: BookedArrival) -> dict[str, Any]:
    return {
        "round": None if booked.name is None else str(booked.name),
        "digest": None if booked.name_digest is None else booked.name_digest.hex(),
    }


def _stored(booked: BookedArrival) -> dict[str, Any]:
    known = digest_of_arrival(
        arrival=booked.arrival,
        limit_set_id=booked.limit_set_id,
        position=booked.shoe_position,
        seen=booked.shoe_seen,
    )
    return {
        "at": time_text(booked.received_at),
        "booked_on": booked.booked_on.isoformat(),
        "anomalies": booked.arrival_anomalies,
        "signed_batch": booked.signed_batch_id,
        "source": booked.source,
        "digest": booked.digest.hex(),
        "rules_digest": booked.rules_digest.hex(),
        "known": known.hex(),
    }


def _compare(
    name: RoundName, stored: dict[str, Any], needed: dict[str, Any], result: CheckResult
) -> None:
    if different := differing_members(stored, needed):
        result.add(name.differs(Kind.ON_RECORD, *different))

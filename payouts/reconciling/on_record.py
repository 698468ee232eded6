"""Rounds and their settlements against what the audit trail says of them."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Any, Final, NamedTuple

from payouts.reconciling.books import BookedSettlement, Books
from payouts.reconciling.found import Found, Kind, RoundName
from payouts.reconciling.reading import rows_of
from rounds.gaming_day import gaming_day
from rounds.judging import RoundToJudge
from rounds.rules.money import format_cents
from rounds.rules.ruling import Ruling
from rounds.rulings import ruling_column, ruling_of

_RECORDS: Final = """
    SELECT subject, action, details
      FROM trail_auditrecord
     WHERE subject = ANY(%(subjects)s)
       AND action IN ('ROUND_RECEIVED', 'ROUND_SETTLED', 'ROUND_VOIDED', 'ROUND_RESETTLED',
                      'ROUND_RULED')
     ORDER BY id
"""
_RECEIVED: Final = "ROUND_RECEIVED"
_FIELDS: Final = ("settlement", "kind", "staked", "paid", "rules", "results_digest", "booked_on")


class _Told(NamedTuple):
    """What a record says of a settlement, or of an arrival."""

    fields: dict[str, str | None]
    ruling: Any


def check_on_record(rounds: Sequence[RoundToJudge], books: Books, found: Found) -> None:
    """That each round arrived once and each settlement was decided once, as it is stored.

    Records of the first weeks know no digest of the results; the other members are compared. Where
    a record names no day, it was booked on the day of play.
    """
    subjects = {f"round:{stored.dealt.round}": stored for stored in rounds}
    arrivals: defaultdict[str, list[_Told]] = defaultdict(list)
    decided: defaultdict[str, list[_Told]] = defaultdict(list)
    for subject, action, text in rows_of(_RECORDS, {"subjects": list(subjects)}):
        (arrivals if action == _RECEIVED else decided)[subject].append(_told(text))
    for subject, stored in subjects.items():
        name = RoundName(stored.id, stored.dealt.round)
        played_on = gaming_day(stored.dealt.opened_at).isoformat()
        for record in (*arrivals[subject], *decided[subject]):
            record.fields["booked_on"] = record.fields["booked_on"] or played_on
        _compare_arrival(name, books.booked_on[stored.id], arrivals[subject], found)
        rulings = books.rulings.get(stored.id, {})
        _compare(name, books.settlements.get(stored.id, []), rulings, decided[subject], found)


def _compare_arrival(
    name: RoundName, booked_on: date, records: Sequence[_Told], found: Found
) -> None:
    """That it arrived once, and is booked on the day that is on record."""
    if len(records) != 1:
        found.add(name.differs(Kind.ON_RECORD, {"arrivals": len(records)}, {"arrivals": 1}))
        return
    stored, recorded = booked_on.isoformat(), records[0].fields["booked_on"]
    if stored != recorded:
        found.add(name.differs(Kind.ON_RECORD, {"booked_on": stored}, {"booked_on": recorded}))


def _compare(
    name: RoundName,
    settlements: Sequence[BookedSettlement],
    rulings: Mapping[int, Ruling],
    records: Sequence[_Told],
    found: Found,
) -> None:
    told: defaultdict[str | None, list[_Told]] = defaultdict(list)
    for record in records:
        told[record.fields["settlement"]].append(record)
    for booked in settlements:
        stored = _as_recorded(booked)
        of_this = told.pop(stored["settlement"], [])
        if len(of_this) != 1:
            count = {"records": len(of_this)}
            found.add(
                name.differs(Kind.ON_RECORD, count, {"records": 1}, settlement=booked.sequence)
            )
            continue
        [record] = of_this
        _compare_ruling(name, booked.sequence, rulings, record.ruling, found)
        fields = record.fields
        other = [one for one, value in fields.items() if value not in (None, stored[one])]
        if other:
            found.add(
                name.differs(
                    Kind.ON_RECORD,
                    {one: stored[one] for one in other},
                    {one: fields[one] for one in other},
                    settlement=booked.sequence,
                )
            )
    for number, left in told.items():
        found.add(
            name.differs(
                Kind.ON_RECORD, {"settlements": 0}, {"settlements": len(left)}, settlement=number
            )
        )


def _compare_ruling(
    name: RoundName,
    sequence: int,
    rulings: Mapping[int, Ruling],
    recorded: Any,  # noqa: ANN401  JSON
    found: Found,
) -> None:
    """That the settlement rests on the ruling that is on record, or on none."""
    stored = None if sequence not in rulings else ruling_column(rulings[sequence])
    expected = None if recorded is None else ruling_column(ruling_of(recorded))
    if stored != expected:
        about = {"ruling": stored}, {"ruling": expected}
        found.add(name.differs(Kind.ON_RECORD, *about, settlement=sequence))


def _told(text: str) -> _Told:
    """A record's details; of one that was made no JSON, nothing (its leaf tells)."""
    details: Any = {}
    with suppress(ValueError):
        details = json.loads(text)
    if not isinstance(details, dict):
        details = {}
    fields = {name: None if name not in details else str(details[name]) for name in _FIELDS}
    return _Told(fields, details.get("ruling"))


def _as_recorded(booked: BookedSettlement) -> dict[str, Any]:
    return {
        "settlement": str(booked.sequence),
        "kind": booked.kind,
        "staked": format_cents(booked.staked_cents),
        "paid": format_cents(booked.payout_cents),
        "rules": booked.rules,
        "results_digest": booked.results_digest.hex(),
        "booked_on": booked.booked_on.isoformat(),
    }

"""Rounds and their settlements against what the audit trail says of them."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from payouts.reconciling.books import BookedSettlement, Books
from payouts.reconciling.found import Found, Kind, RoundName
from payouts.reconciling.reading import rows_of
from rounds.judging import RoundToJudge
from rounds.rules.money import format_cents

_RECORDS: Final = """
    SELECT subject, action, details->>'settlement', details->>'kind', details->>'staked',
           details->>'paid', details->>'rules', details->>'results_digest'
      FROM trail_auditrecord
     WHERE subject = ANY(%(subjects)s)
       AND action IN ('ROUND_RECEIVED', 'ROUND_SETTLED', 'ROUND_VOIDED', 'ROUND_RESETTLED')
     ORDER BY id
"""
_RECEIVED: Final = "ROUND_RECEIVED"
_FIELDS: Final = ("settlement", "kind", "staked", "paid", "rules", "results_digest")


def check_on_record(rounds: Sequence[RoundToJudge], books: Books, found: Found) -> None:
    """That each round arrived once and each settlement was decided once, as it is stored.

    Records of the first weeks know no digest of the results; the other members are compared.
    """
    subjects = {f"round:{stored.dealt.round}": stored for stored in rounds}
    arrivals: defaultdict[str, int] = defaultdict(int)
    decided: defaultdict[str, list[dict[str, str | None]]] = defaultdict(list)
    for subject, action, *details in rows_of(_RECORDS, {"subjects": list(subjects)}):
        if action == _RECEIVED:
            arrivals[subject] += 1
        else:
            decided[subject].append(dict(zip(_FIELDS, details, strict=True)))
    for subject, stored in subjects.items():
        name = RoundName(stored.id, stored.dealt.round)
        if arrivals[subject] != 1:
            found.add(
                name.differs(Kind.ON_RECORD, {"arrivals": arrivals[subject]}, {"arrivals": 1})
            )
        _compare(name, books.settlements.get(stored.id, []), decided[subject], found)


def _compare(
    name: RoundName,
    settlements: Sequence[BookedSettlement],
    records: Sequence[dict[str, str | None]],
    found: Found,
) -> None:
    told: defaultdict[str | None, list[dict[str, str | None]]] = defaultdict(list)
    for record in records:
        told[record["settlement"]].append(record)
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
        other = [one for one, value in record.items() if value not in (None, stored[one])]
        if other:
            found.add(
                name.differs(
                    Kind.ON_RECORD,
                    {one: stored[one] for one in other},
                    {one: record[one] for one in other},
                    settlement=booked.sequence,
                )
            )
    for number, left in told.items():
        found.add(
            name.differs(
                Kind.ON_RECORD, {"settlements": 0}, {"settlements": len(left)}, settlement=number
            )
        )


def _as_recorded(booked: BookedSettlement) -> dict[str, Any]:
    return {
        "settlement": str(booked.sequence),
        "kind": booked.kind,
        "staked": format_cents(booked.staked_cents),
        "paid": format_cents(booked.payout_cents),
        "rules": booked.rules,
        "results_digest": booked.results_digest.hex(),
    }

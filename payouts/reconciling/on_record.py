"""Rounds, their verdicts and settlements against what the audit trail says of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from payouts.reconciling.arrived import compare_arrival
from payouts.reconciling.books import BookedSettlement, Books
from payouts.reconciling.found import Found, Kind, RoundName
from payouts.reconciling.judged import compare_verdicts
from payouts.reconciling.told import Told, moment_words, records_of_rounds
from rounds.gaming_day import gaming_day
from rounds.judging import RoundToJudge
from rounds.rules.money import format_cents

_RECEIVED: Final = "ROUND_RECEIVED"
_HELD: Final = "ROUND_HELD"
_FIELDS: Final = ("kind", "staked", "paid", "rules", "rules_digest", "results_digest", "booked_on")
"""Those of which records of earlier releases do not know all."""


def check_on_record(rounds: Sequence[RoundToJudge], books: Books, found: Found) -> None:
    """That each round arrived and was judged once, and each settlement decided once, as stored.

    Records of the first weeks know no digest of the results; the other members are compared. Where
    a record names no day, it was booked on the day of play.
    """
    subjects = {f"round:{stored.dealt.round}": stored for stored in rounds}
    told = records_of_rounds(subjects)
    for subject, stored in subjects.items():
        name = RoundName(stored.id, stored.dealt.round)
        records = told.get(subject, [])
        arrivals = [record for record in records if record.action == _RECEIVED]
        played_on = gaming_day(stored.dealt.opened_at)
        arrival = books.arrivals[stored.id]
        compare_arrival(name, arrival, arrivals, found, played_on=played_on)
        compare_verdicts(name, books.verdicts.get(stored.id, []), records, found)
        _Settlements(
            name,
            books.settlements.get(stored.id, []),
            books.rulings.get(stored.id, {}),
            found,
        ).compare(
            [record for record in records if record.action not in (_RECEIVED, _HELD)],
            played_on.isoformat(),
        )


class _Settlements:
    """The settlements of a round, as they are stored."""

    def __init__(
        self,
        name: RoundName,
        settlements: Sequence[BookedSettlement],
        rulings: Mapping[int, Any],
        found: Found,
    ) -> None:
        self._name = name
        self._settlements = settlements
        self._rulings = rulings
        self._found = found

    def compare(self, records: Sequence[Told], played_on: str) -> None:
        """Each against its one record; no record is left."""
        told: defaultdict[str | None, list[Told]] = defaultdict(list)
        for record in records:
            told[record.text("settlement")].append(record)
        for booked in self._settlements:
            of_this = told.pop(str(booked.sequence), [])
            if len(of_this) == 1:
                self._compare(booked, of_this[0], played_on)
            else:
                self._tell(booked.sequence, {"records": len(of_this)}, {"records": 1})
        for number, left in told.items():
            self._tell(number, {"settlements": 0}, {"settlements": len(left)})

    def _compare(self, booked: BookedSettlement, record: Told, played_on: str) -> None:
        ruling, recorded = self._rulings.get(booked.sequence), record.details.get("ruling")
        if ruling != recorded:
            self._tell(booked.sequence, {"ruling": ruling}, {"ruling": recorded})
        stored, needed = _stored(booked), _recorded(record, played_on)
        other = [one for one, value in needed.items() if stored[one] != value]
        if other:
            self._tell(
                booked.sequence,
                {one: stored[one] for one in other},
                {one: needed[one] for one in other},
            )

    def _tell(self, settlement: int | str | None, found: Any, expected: Any) -> None:  # noqa: ANN401  JSON
        self._found.add(self._name.differs(Kind.ON_RECORD, found, expected, settlement=settlement))


def _recorded(record: Told, played_on: str) -> dict[str, str | None]:
    """What the record says: who decided, who approved and why, and what came of it."""
    told = {one: record.text(one) for one in _FIELDS}
    told["booked_on"] = told["booked_on"] or played_on
    return {
        **{one: value for one, value in told.items() if value is not None},
        "at": moment_words(record.at),
        "actor": record.actor,
        "approved_by": record.text("approved_by"),
        "reason": record.text("reason") or "",
    }


def _stored(booked: BookedSettlement) -> dict[str, str | None]:
    return {
        "kind": booked.kind,
        "staked": format_cents(booked.staked_cents),
        "paid": format_cents(booked.payout_cents),
        "rules": booked.rules,
        "rules_digest": booked.rules_digest.hex(),
        "results_digest": booked.results_digest.hex(),
        "booked_on": booked.booked_on.isoformat(),
        "at": moment_words(booked.settled_at),
        "actor": booked.actor,
        "approved_by": booked.approved_by,
        "reason": booked.reason,
    }

"""Rounds, verdicts and settlements, against their audit records."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from payouts.reconciliation.checks.arrivals import compare_arrival
from payouts.reconciliation.checks.audit_facts import RecordedFact, records_of_rounds, time_text
from payouts.reconciliation.checks.books import BookedSettlement, Books
from payouts.reconciliation.checks.differences import (
    CheckResult,
    Kind,
    RoundName,
    differing_members,
)
from payouts.reconciliation.checks.verdicts import compare_verdicts
from rounds.gaming_day import gaming_day
from rounds.rule_inputs import RoundToJudge
from rounds.rules.money import format_cents

_RECEIVED: Final = "ROUND_RECEIVED"
_HELD: Final = "ROUND_HELD"
_FIELDS: Final = ("kind", "staked", "paid", "rules", "rules_digest", "results_digest", "booked_on")
"""Members that records of earlier releases may lack."""


def check_audit_records(rounds: Sequence[RoundToJudge], books: Books, result: CheckResult) -> None:
    """Checks that arrival, verdicts and settlements are recorded once each, as stored.

    Members that records of earlier releases lack are not compared. A record without a booking day
    means the day of play.
    """
    subjects = {f"round:{stored.dealt.round}": stored for stored in rounds}
    recorded = records_of_rounds(subjects)
    for subject, stored in subjects.items():
        name = RoundName(stored.id, stored.dealt.round)
        records = recorded.get(subject, [])
        arrivals = [record for record in records if record.action == _RECEIVED]
        played_on = gaming_day(stored.dealt.opened_at)
        arrival = books.arrivals[stored.id]
        compare_arrival(name, arrival, arrivals, result, played_on=played_on)
        compare_verdicts(name, books.verdicts.get(stored.id, []), records, result)
        _Settlements(
            name,
            books.settlements.get(stored.id, []),
            books.rulings.get(stored.id, {}),
            result,
        ).compare(
            [record for record in records if record.action not in (_RECEIVED, _HELD)],
            played_on.isoformat(),
        )


class _Settlements:
    """The stored settlements of a round."""

    def __init__(
        self,
        name: RoundName,
        settlements: Sequence[BookedSettlement],
        rulings: Mapping[int, Any],
        result: CheckResult,
    ) -> None:
        self._name = name
        self._settlements = settlements
        self._rulings = rulings
        self._result = result

    def compare(self, records: Sequence[RecordedFact], played_on: str) -> None:
        """Checks that each settlement has one record, and each record a settlement."""
        by_number: defaultdict[str | None, list[RecordedFact]] = defaultdict(list)
        for record in records:
            by_number[record.text("settlement")].append(record)
        for booked in self._settlements:
            matching = by_number.pop(str(booked.sequence), [])
            if len(matching) == 1:
                self._compare(booked, matching[0], played_on)
            else:
                self._add(booked.sequence, {"records": len(matching)}, {"records": 1})
        for number, left in by_number.items():
            self._add(number, {"settlements": 0}, {"settlements": len(left)})

    def _compare(self, booked: BookedSettlement, record: RecordedFact, played_on: str) -> None:
        ruling, recorded = self._rulings.get(booked.sequence), record.details.get("ruling")
        if ruling != recorded:
            self._add(booked.sequence, {"ruling": ruling}, {"ruling": recorded})
        if different := differing_members(_stored(booked), _recorded(record, played_on)):
            self._add(booked.sequence, *different)

    def _add(self, settlement: int | str | None, found: Any, expected: Any) -> None:
        self._result.add(self._name.differs(Kind.ON_RECORD, found, expected, settlement=settlement))


def _recorded(record: RecordedFact, played_on: str) -> dict[str, str | None]:
    """The settlement as the record has it."""
    fields = {name: record.text(name) for name in _FIELDS}
    fields["booked_on"] = fields["booked_on"] or played_on
    return {
        **{name: value for name, value in fields.items() if value is not None},
        "at": time_text(record.at),
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
        "at": time_text(booked.settled_at),
        "actor": booked.actor,
        "approved_by": booked.approved_by,
        "reason": booked.reason,
    }

"""Checking one round against its books."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from payouts.reconciliation.checks.books import BookedEntry, BookedSettlement, Books
from payouts.reconciliation.checks.differences import CheckResult, Kind, RoundName
from payouts.reconciliation.checks.expected_books import (
    decision_as_paid,
    expected_decision,
    lines_of_arrival,
    lines_of_decision,
)
from payouts.reconciliation.checks.row_differences import (
    different_results,
    different_transfers,
    paid_grades,
)
from payouts.settlement.decision import Decision
from payouts.settlement.results_digest import digest_of
from rounds.models import Validation
from rounds.row_mapping import ruling_of
from rounds.rule_inputs import RoundToJudge
from rounds.rules.verdict import HELD, Verdict
from rounds.services.validate import RulesChangedError, judge_round

_ARRIVAL: Final = 0
_NOTHING: Final = hashlib.sha256().digest()


class RoundCheck:
    """A round with its rows, which it removes from the books."""

    def __init__(self, stored: RoundToJudge, books: Books, result: CheckResult) -> None:
        self._stored = stored
        self._name = RoundName(stored.id, stored.dealt.round)
        self._result = result
        self._fetch = books.fetch
        self._waits = stored.id in books.waiting
        books.waiting.discard(stored.id)
        self._verdicts = books.verdicts.pop(stored.id, [])
        self._settlements = books.settlements.pop(stored.id, [])
        self._rulings = books.rulings.pop(stored.id, {})
        self._results = books.results.pop(stored.id, {})
        self._entries = books.entries.pop(stored.id, {})
        self._held_cents = sum([entry.held_cents for entry in self._entries.values()])

    def check(self) -> None:
        """Adds every difference to the result."""
        self._check_queue()
        if self._waits:
            return
        verdict = self._replayed(None)
        latest = self._replayed(self._rulings[max(self._rulings)]) if self._rulings else verdict
        if latest is not None:
            self._check_verdict(latest)
        self._check_sequence()
        if self._verdicts or self._settlements:
            judged_at = self._verdicts[0].validated_at if self._verdicts else None
            self._check_transfers(_ARRIVAL, lines_of_arrival(self._stored), judged_at)
        for booked in self._settlements:
            ruling = self._rulings.pop(booked.sequence, None)
            ruled = verdict if ruling is None else self._replayed(ruling)
            self._check_settlement(booked, ruled)
        self._check_held_stakes()
        self._check_left()

    def _add(self, kind: Kind, found: Any, expected: Any, **about: Any) -> None:
        self._result.add(self._name.differs(kind, found, expected, **about))

    def _check_queue(self) -> None:
        """A round either waits and has no books, or was validated."""
        booked = bool(self._verdicts or self._settlements or self._results or self._entries)
        if self._waits == booked or (booked and not self._verdicts):
            found = {"waits": self._waits, "judged": bool(self._verdicts)}
            self._add(Kind.QUEUE, found, None)

    def _replayed(self, column: Any) -> Verdict | None:
        """The rules' verdict on the stored round, with the ruling if there is one."""
        try:
            ruling = None if column is None else ruling_of(column)
            return judge_round(self._stored, ruling)
        except RulesChangedError as error:
            running = error.entry.details["running"]
            arrived = {"digest": self._stored.rules_digest.hex()}
            rules = self._stored.dealt.rules
            self._add(Kind.RULES_CHANGED, {"digest": running}, arrived, rules=rules)
        except Exception as error:  # noqa: BLE001  altered facts may raise anything
            self._add(Kind.UNREADABLE, {"error": f"{type(error).__name__}: {error}"}, None)
        return None

    def _check_verdict(self, verdict: Verdict) -> None:
        if not self._verdicts:
            return
        latest = self._verdicts[-1]
        status = Validation.Status.HELD if verdict.status == HELD else Validation.Status.VALIDATED
        stored = {"status": latest.status, "anomalies": sorted(latest.anomalies)}
        expected = {
            "status": status.value,
            "anomalies": sorted(verdict.anomalies) if verdict.status == HELD else [],
        }
        if stored != expected:
            self._add(Kind.VERDICT, stored, expected)
        if verdict.status != HELD and not self._settlements:
            self._add(Kind.UNSETTLED, None, None)

    def _check_sequence(self) -> None:
        sequences = [booked.sequence for booked in self._settlements]
        expected = list(range(1, len(sequences) + 1))
        if sequences != expected:
            self._add(Kind.SEQUENCE, {"sequences": sequences}, {"sequences": expected})

    def _check_settlement(self, booked: BookedSettlement, verdict: Verdict | None) -> None:
        paid = self._results.pop(booked.sequence, digest_of(()))
        if paid != booked.results_digest:
            self._add_field(booked, "results_digest", booked.results_digest.hex(), paid.hex())
        decision = self._expected(booked, verdict, paid)
        if decision is None:
            self._entries.pop(booked.sequence, None)
            if verdict is not None:
                anomalies = {"anomalies": list(verdict.anomalies)}
                self._add(Kind.NOT_BY_RULES, None, anomalies, settlement=booked.sequence)
            return
        self._check_fields(booked, decision)
        if paid != decision.results_digest:
            for number, stored, expected in different_results(self._fetch, decision):
                self._add(Kind.BET, stored, expected, settlement=booked.sequence, bet=number)
        lines = lines_of_decision(decision)
        self._check_transfers(booked.sequence, lines, booked.settled_at)

    def _expected(
        self, booked: BookedSettlement, verdict: Verdict | None, paid: bytes
    ) -> Decision | None:
        """The settlement by the rules or a decision; a replaced one as it was paid."""
        decision = expected_decision(self._stored, verdict, booked)
        is_replaced = booked is not self._settlements[-1]
        by_rules = decision is not None and decision.results_digest == paid
        if is_replaced and not by_rules and paid == booked.results_digest:
            grades = paid_grades(self._fetch, self._stored.id, booked.sequence)
            return decision_as_paid(self._stored, booked, list(grades.values())) or decision
        return decision

    def _check_fields(self, booked: BookedSettlement, decision: Decision) -> None:
        bonus, sums = decision.verdict.bonus, decision.sums
        expected = {
            "kind": decision.kind,
            "rules": self._stored.dealt.rules,
            "rules_digest": self._stored.rules_digest.hex(),
            "staked_cents": sums.staked_cents,
            "payout_cents": sums.payout_cents,
            "chips_cents": sums.payout_chips_cents,
            "bonus": None if bonus is None else bonus._asdict(),
        }
        for field, value in expected.items():
            stored = getattr(booked, field)
            stored = stored.hex() if isinstance(stored, bytes) else stored
            if stored != value:
                self._add_field(booked, field, stored, value)

    def _add_field(self, booked: BookedSettlement, field: str, found: Any, expected: Any) -> None:
        self._add(Kind.SETTLEMENT, {field: found}, {field: expected}, settlement=booked.sequence)

    def _check_transfers(self, entry: int, lines: str, at: datetime | None) -> None:
        booked = self._entries.pop(entry, None)
        self._check_lines(entry, lines, booked)
        if booked is None or at is None:
            return
        if not booked.first_posted == at == booked.last_posted:
            posted = {"first": str(booked.first_posted), "last": str(booked.last_posted)}
            self._add(Kind.POSTED, posted, {"at": str(at)}, entry=entry)

    def _check_lines(self, entry: int, lines: str, booked: BookedEntry | None) -> None:
        """Compares transfers, or their line numbers if only these differ."""
        stored, needed = _NOTHING, hashlib.sha256(lines.encode()).digest()
        numbers = whole = (0, -1)
        if booked is not None:
            stored, numbers, whole = booked.digest, booked.lines, (0, booked.transfers - 1)
        if (stored, numbers) == (needed, whole):
            return
        rows = []
        if stored != needed:
            rows = list(different_transfers(self._fetch, self._stored.id, entry, lines))
        for bet, found, expected in rows:
            self._add(Kind.TRANSFER, found, expected, entry=entry, bet=bet)
        if not rows:
            found = _numbered(stored, numbers)
            self._add(Kind.TRANSFER, found, _numbered(needed, whole), entry=entry)

    def _check_held_stakes(self) -> None:
        """The stakes held are those of an undecided round, and zero of any other."""
        bets = self._stored.dealt.bets if self._verdicts and not self._settlements else ()
        expected = sum([bet.stake_cents + bet.raised_cents for bet in bets])
        if self._held_cents != expected:
            self._add(Kind.STAKES_HELD, {"cents": self._held_cents}, {"cents": expected})

    def _check_left(self) -> None:
        """Rows of missing settlements."""
        left: Mapping[str, Mapping[int, object]]
        left = {
            "results": self._results,
            "transfers": self._entries,
            "rulings": self._rulings,
        }
        for sequence in sorted(set().union(*left.values())):
            rows = [name for name, sequences in left.items() if sequence in sequences]
            self._add(Kind.SEQUENCE, {"rows": rows}, None, settlement=sequence)


def _numbered(digest: bytes, lines: tuple[int, int]) -> dict[str, object]:
    return {"digest": digest.hex(), "first_line": lines[0], "last_line": lines[1]}

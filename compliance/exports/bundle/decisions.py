"""The decisions of persons that a bundle reports, with their signatures, keys and plans.

All are older than the end of the last day, so that the bundle of a closed day does not change.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from compliance.exports.registers.table_expressions import IN_SCOPE
from compliance.exports.reports.alterations import ALTERATIONS, SETTLED_AGAIN
from compliance.exports.reports.audit_records import quoted_list
from compliance.exports.reports.significant_events import SIGNIFICANT_EVENTS
from compliance.exports.scope import COMPLIANCE_REPORTS, Snapshot
from compliance.signatures.models import SigningKey
from compliance.signatures.signature_lines import Line, SignatureLines, decision_before_signatures
from compliance.signatures.signature_verifier import signed_actions
from compliance.signatures.signed_text import text_of_record
from compliance.trail.models import AuditRecord
from payouts.cases.decisions import PlannedSettlement
from payouts.cases.models import CasePlan, CaseStep
from payouts.disputes.models import DisputeRemedy, DisputeStep
from payouts.gaming_days.models import DayClosing

SIGNATURES: Final = "signatures.jsonl"
KEYS: Final = "signing_keys.jsonl"
PLANS: Final = "case_plans.jsonl"
_CLOSED_BY_SIGNATURE: Final = "DAY_CLOSED_BY_SIGNATURE"
_AT_ONCE: Final = 1_000

_BY_TWO_PERSONS: Final = f"""
    SELECT round.reference, settled.sequence, work.run_id
      FROM payouts_settlement AS settled
      JOIN rounds_round AS round ON round.id = settled.round_id
      LEFT JOIN payouts_casework AS work
        ON work.round_id = settled.round_id AND work.sequence = settled.sequence
     WHERE settled.booked_on BETWEEN %(first_day)s AND %(last_day)s
       AND settled.approved_by IS NOT NULL AND {IN_SCOPE}
"""
_ALTERED: Final = f"""
    SELECT DISTINCT line."case", line.record FROM ({ALTERATIONS.query}) AS line
     WHERE line.approved_by IS NOT NULL
"""
_EVENTS: Final = f"""
    SELECT line.action, line.subject, line.record FROM ({SIGNIFICANT_EVENTS.query}) AS line
     WHERE line.action = 'CASE_EXECUTED' OR line.action IN ({{signed}})
"""


class ReportedDecisions:
    """Collects the decisions of a bundle; each is listed once, in the order of time."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._signing = SignatureLines(database=snapshot.database, until=self._closed_at())
        self._lines: dict[str, Line] = {}
        self._proposals: list[CaseStep] = []
        """The approved proposals, whose plans the bundle contains."""
        self._collect()

    def signatures(self) -> list[Line]:
        """The decisions with their signatures."""
        return [line for _text, line in sorted(self._lines.items())]

    def keys(self) -> Iterator[Line]:
        """The keys of their persons."""
        return self._signing.keys()

    def plans(self) -> Iterator[Line]:
        """What each approved case planned for each round; its digest is what both persons saw."""
        for step in self._proposals:
            plan = CasePlan.objects.using(self._snapshot.database).filter(
                case=step.case, sequence=step.sequence
            )
            for planned in plan.select_related("round").order_by("round_id").iterator(_AT_ONCE):
                columns = [getattr(planned, name) for name in PlannedSettlement._fields]
                yield {
                    "case": str(step.case),
                    "step": step.sequence,
                    "round": planned.round.reference,
                    "round_id": planned.round_id.hex,
                    "after": planned.after,
                    "results": PlannedSettlement._make(columns).results(),
                }

    def _collect(self) -> None:
        is_report = self._snapshot.of.contents == COMPLIANCE_REPORTS
        cases = self._events() if is_report else self._settlements()
        for case_id in sorted(cases):
            self._add_case(case_id)
        subjects = [f"day:{day}" for day in self._snapshot.of.days]
        for record in self._records(subject__in=subjects, action=_CLOSED_BY_SIGNATURE):
            self._add(self._signing.of_record(record))

    def _settlements(self) -> set[int]:
        """The cases of settlements that two persons decided; adds those without a case."""
        cases = set()
        for reference, sequence, case_id in self._snapshot.rows(_BY_TWO_PERSONS):
            if case_id is None:
                decided = self._records(subject=f"round:{reference}", action__in=SETTLED_AGAIN)
                for record in decided:
                    if record.details["settlement"] == sequence:
                        self._add_without_case(record)
            else:
                cases.add(case_id)
        return cases

    def _events(self) -> set[int]:
        """The cases of alterations and executions; adds what signed events and others decided."""
        cases = set()
        for action, subject, record_id in self._snapshot.rows(
            _EVENTS.format(signed=quoted_list(tuple(sorted(signed_actions()))))
        ):
            if action == "CASE_EXECUTED":
                cases.add(_number_of(subject))
            else:
                for record in self._records(pk=record_id):
                    self._add(self._signing.of_record(record))
        for case, record_id in self._snapshot.rows(_ALTERED):
            if case is None:
                self._add_without_case(self._records(pk=record_id).get())
            else:
                cases.add(_number_of(case))
        return cases

    def _add_case(self, case_id: int) -> None:
        """The decisions of an executed case, and of the disputes that opened it."""
        steps = CaseStep.objects.using(self._snapshot.database).filter(case_id=case_id)
        decided = steps.exclude(action=CaseStep.Action.OPENED).order_by("sequence")
        proposal: CaseStep | None = None
        for step in decided.select_related("case", "customer"):
            self._add(self._signing.of_row(step))
            if step.action == CaseStep.Action.PROPOSED:
                proposal = step
            elif step.action == CaseStep.Action.APPROVED and proposal is not None:
                self._proposals.append(proposal)
        remedies = DisputeRemedy.objects.using(self._snapshot.database)
        for remedy in remedies.filter(case_id=case_id, was_opened=True).order_by("dispute_id"):
            disputes = DisputeStep.objects.using(self._snapshot.database)
            decision = disputes.select_related("dispute__round", "dispute__customer").get(
                dispute_id=remedy.dispute_id, sequence=remedy.sequence
            )
            self._add(self._signing.of_row(decision))

    def _add_without_case(self, record: AuditRecord) -> None:
        """A settlement that two persons decided before there were cases and signatures."""
        text = text_of_record(record)
        keys = SigningKey.objects.using(self._snapshot.database)
        could_sign = keys.filter(registered_at__lte=record.at).exists()
        self._add({"record": text} if could_sign else decision_before_signatures(text))

    def _add(self, line: Line) -> None:
        self._lines[line["record"]] = max(self._lines.get(line["record"], {}), line, key=len)

    def _records(self, **conditions: Any) -> QuerySet[AuditRecord]:
        return AuditRecord.objects.using(self._snapshot.database).filter(**conditions)

    def _closed_at(self) -> datetime | None:
        """When the last day was closed; None while a day is open."""
        days = self._snapshot.of.days
        closings = DayClosing.objects.using(self._snapshot.database).filter(day__in=days)
        times = [closing.closed_at for closing in closings]
        return max(times) if len(times) == len(days) else None


def _number_of(case: str) -> int:
    """The number of a case, from its name or subject: 7 of ``case:M-0007``."""
    return int(case.rpartition("-")[2])

"""Money that two persons moved, against their signatures."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet

from compliance.signatures.models import EarlierDecision
from compliance.trail.models import AuditRecord
from payouts.cases.models import Case, CaseWork
from payouts.cases.verify_cases import unapproved_executions
from payouts.reconciliation.checks.books import Books
from payouts.reconciliation.checks.differences import CheckResult, Difference, Kind, RoundName
from rounds.rule_inputs import RoundToJudge


def check_decisions(result: CheckResult, cases: "QuerySet[Case] | None" = None) -> None:
    """Checks that two persons signed each executed case, or each of these, as it was executed."""
    for case, error in unapproved_executions(cases):
        result.add(Difference(Kind.DECISION, {"case": str(case)}, {"error": error}, None))


def check_decided_settlements(
    rounds: Sequence[RoundToJudge], books: Books, result: CheckResult
) -> None:
    """Checks that a case made each settlement that names two persons.

    The case is verified by ``check_decisions``. Settlements from before that are listed count.
    """
    decided = [
        (RoundName(stored.id, stored.dealt.round), booked)
        for stored in rounds
        for booked in books.settlements.get(stored.id, [])
        if booked.approved_by is not None
    ]
    executed = _executed({name.id for name, _booked in decided}) if decided else set()
    for name, booked in decided:
        if (name.id, booked.sequence) not in executed and not _is_earlier(name, booked.sequence):
            found = {"approved_by": booked.approved_by}
            result.add(name.differs(Kind.DECISION, found, None, settlement=booked.sequence))


def _executed(rounds: set[UUID]) -> set[tuple[UUID | None, int | None]]:
    works = CaseWork.objects.filter(outcome=CaseWork.Outcome.DONE, round_id__in=rounds)
    return set(works.values_list("round_id", "sequence"))


def _is_earlier(name: RoundName, sequence: int) -> bool:
    earlier = EarlierDecision.objects.values("record_id")
    records = AuditRecord.objects.filter(subject=f"round:{name.reference}", pk__in=earlier)
    return any(record.details.get("settlement") == sequence for record in records)

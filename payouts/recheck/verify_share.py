"""The checks of reconciliation and ``verify_trail``, for a few rounds, records and decisions.

Each reads one snapshot and writes nothing.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import translation

from compliance.signatures.signature_verifier import SignatureVerifier
from compliance.signatures.verify_signatures import verify_records
from compliance.trail.batches import MOST_RECORDS, batch_of
from compliance.trail.extra_checks import begin_snapshot
from compliance.trail.fault_messages import fault_message
from compliance.trail.key_ranges import KeyRange
from compliance.trail.log.log_faults import LogFault
from compliance.trail.log.verify_inclusion import verify_inclusion
from compliance.trail.models import AuditRecord
from compliance.trail.verify_records import Fault
from payouts.cases.models import Case, CaseWork
from payouts.reconciliation.checks.audit_trail import check_records
from payouts.reconciliation.checks.decisions import check_decisions
from payouts.reconciliation.checks.differences import CheckResult
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.checks.rounds import check_rounds
from payouts.reconciliation.models import ReconcileDifference
from rounds.models import Round
from rounds.signatures.verify_rounds import verify_rounds


@dataclass
class Findings:
    """What was verified, and each thing that differs: where, what was found, what was needed."""

    verified: Counter[str] = field(default_factory=Counter)
    texts: list[str] = field(default_factory=list)
    unlisted: int = 0
    """The number of differences without a text."""
    pass_seconds: float = 0.0
    """The time of the pass over recent rounds that ended with it; 0 if none did."""

    def report(self, text: str) -> None:
        """Adds a text."""
        self.texts.append(text)

    def report_fault(self, fault: Fault | LogFault) -> None:
        """Adds a fault of the trail or its log."""
        self.texts.append(fault_message(fault))

    def add(self, result: CheckResult) -> None:
        """Adds what a check of reconciliation found."""
        self.verified += result.looked_at
        self.unlisted += result.differing - len(result.differences)
        for difference in result.differences:
            self.texts.append(difference_message(ReconcileDifference(**difference._asdict())))


def verify_rounds_between(keys: KeyRange) -> Findings:
    """Judges the rounds of a range again and compares all that is stored of them.

    From the dealt cards and the rule set that was in force: outcomes, bets, payouts, postings, and
    the audit records with their places in the signed log; the studio's signatures; the cases that
    settled them, with the signatures of two persons. Rows of no round between them are found too.
    """
    with _snapshot() as findings:
        result = CheckResult()
        check_rounds(keys, result)
        rounds = dict(Round.objects.filter(**keys.within("id")).values_list("id", "reference"))
        works = CaseWork.objects.filter(round_id__in=rounds, outcome=CaseWork.Outcome.DONE)
        check_decisions(result, Case.objects.filter(pk__in=works.values("run_id")))
        findings.add(result)
        verify_rounds(rounds, findings.report)
        subjects = [f"round:{reference}" for reference in rounds.values()]
        _verify_records(AuditRecord.objects.filter(subject__in=subjects), findings)
    return findings


def verify_batch_of(record_id: UUID) -> Findings:
    """Verifies the batch of an audit record, and its place in the signed log."""
    with _snapshot() as findings:
        batch, result = batch_of(record_id), CheckResult()
        check_records(KeyRange(batch, UUID(int=batch.int + MOST_RECORDS)), result)
        findings.add(result)
        _verify_records(AuditRecord.objects.filter(pk=record_id), findings)
    return findings


def verify_decision(record_id: UUID) -> Findings:
    """Verifies that the person of a signed decision signed its audit record."""
    with _snapshot() as findings:
        records = AuditRecord.objects.filter(pk=record_id)
        if not records.exists():
            findings.report(f"signature of record {record_id}: found no such record")
        _verify_records(records, findings)
        findings.verified["decisions"] += 1
    return findings


def _verify_records(records: "QuerySet[AuditRecord]", findings: Findings) -> None:
    verify_inclusion(records.order_by("id"), findings.report_fault)
    verify_records(records, findings.report, SignatureVerifier())


@contextmanager
def _snapshot() -> Iterator[Findings]:
    """Everything is read as of one moment, and the texts are in English."""
    with translation.override("en"), transaction.atomic():
        begin_snapshot()
        yield Findings()

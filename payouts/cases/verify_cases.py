"""Verification of all executed cases: money as two persons approved it."""

from collections.abc import Container, Iterator

from django.db.models import QuerySet

from compliance.signatures.signature_verifier import SignatureVerifier
from compliance.storage.partitions import Month, month_of_key
from compliance.trail.extra_checks import Report
from payouts.carried_forward.detached_months import detached_months
from payouts.cases.models import Case, CaseWork, GoodwillCredit
from payouts.cases.verify_case import ApprovedProposal, InvalidDecision, verified_proposal


def verify_cases(report: Report) -> str:
    """Reports each execution that moved money otherwise than approved; halted ones moved none."""
    for _case, error in unapproved_executions():
        report(error)
    return f"{Case.objects.count()} cases"


def unapproved_executions(
    cases: "QuerySet[Case] | None" = None,
) -> Iterator[tuple[Case, str]]:
    """The cases whose executions moved money otherwise than two persons signed, each with why.

    Among these, or all. Of rounds in a detached month nothing is compared: it was before.
    """
    verifier = SignatureVerifier()
    detached = {month.month for month in detached_months()}
    among = Case.objects.all() if cases is None else cases
    for case in among.order_by("pk").iterator():
        try:
            _verify(case, verifier, detached)
        except InvalidDecision as error:
            yield case, str(error)


def _verify(case: Case, verifier: SignatureVerifier, detached: Container[Month | None]) -> None:
    credit = GoodwillCredit.objects.filter(case=case).first()
    works = CaseWork.objects.filter(run_id=case.pk, outcome=CaseWork.Outcome.DONE)
    if credit is not None or works.exists():
        decision = verified_proposal(case, verifier)
        present = [it for it in works if _month_of(it) not in detached]
        _verify_execution(decision, credit, present)


def _month_of(work: CaseWork) -> Month | None:
    """That of its round; None without one."""
    return None if work.round_id is None else month_of_key(work.round_id)


def _verify_execution(
    decision: ApprovedProposal, credit: GoodwillCredit | None, works: list[CaseWork]
) -> None:
    if credit is not None and decision.credit() != (credit.customer_id, credit.cents):
        raise InvalidDecision(f"{credit.case}: found another credit than was approved")
    settled = [] if decision.is_credit else works
    for work in settled if decision.is_signed else []:
        decision.require_settled(decision.settlement(work), work.sequence or 0)

"""Verification of all cases: signed steps, and money as it was approved."""

from collections.abc import Iterator

from compliance.signatures.verify_signatures import SignatureVerifier
from compliance.trail.extra_checks import Report
from payouts.cases.models import Case, CaseStep, CaseWork, GoodwillCredit
from payouts.cases.verify_case import (
    ApprovedProposal,
    InvalidDecision,
    verified_proposal,
    verify_step,
)


def verify_cases(report: Report) -> str:
    """Reports each step that nobody signed, and each execution that was not approved so."""
    verifier = SignatureVerifier()
    for case in Case.objects.order_by("pk").iterator():
        for error in _faults(case, verifier):
            report(str(error))
    return f"{Case.objects.count()} cases"


def _faults(case: Case, verifier: SignatureVerifier) -> Iterator[InvalidDecision]:
    """What does not hold, without an execution that was halted or refused for it."""
    steps = CaseStep.objects.filter(case=case).exclude(action=CaseStep.Action.OPENED)
    for step in steps.select_related("customer", "case").order_by("sequence"):
        try:
            verify_step(case, step, verifier)
        except InvalidDecision as error:
            yield error
    credit = GoodwillCredit.objects.filter(case=case).first()
    works = CaseWork.objects.filter(run_id=case.pk, outcome=CaseWork.Outcome.DONE)
    if credit is None and not works.exists():
        return
    try:
        _verify_execution(verified_proposal(case, verifier), credit, list(works))
    except InvalidDecision as error:
        yield error


def _verify_execution(
    decision: ApprovedProposal, credit: GoodwillCredit | None, works: list[CaseWork]
) -> None:
    if credit is not None and decision.credit() != (credit.customer_id, credit.cents):
        raise InvalidDecision(f"{credit.case}: found another credit than was approved")
    settled = [] if decision.is_credit else works
    for work in settled if decision.is_signed else []:
        decision.require_settled(decision.settlement(work), work.sequence or 0)

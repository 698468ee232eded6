"""The signatures of a case, verified as the page is shown, and its halt."""

from enum import StrEnum
from typing import Any, NamedTuple

from django.http import HttpRequest

from casino.access.current_user import request_user
from casino.backoffice.cases.messages import APPROVE, why_not_approve
from casino.backoffice.security.confirmation import confirmation_context
from casino.backoffice.site.form_data import actor_in
from compliance.signatures.signature_verifier import SignatureVerifier
from payouts.cases.halt_cases import open_halts
from payouts.cases.models import Case, CaseHalt, CaseStep
from payouts.cases.status import APPROVABLE, Stage
from payouts.cases.uploaded_rounds import has_uploaded
from payouts.cases.verify_case import InvalidDecision, verify_step
from payouts.integrity.stop_settlement import stops_in_force


class SignatureStatus(StrEnum):
    """What the verification of a step found."""

    VALID = "valid"
    EARLIER = "earlier"
    """Decided before decisions were signed."""
    INVALID = "invalid"


class StepSignature(NamedTuple):
    """A proposal or an approval, and whether its actor signed it."""

    step: CaseStep
    status: SignatureStatus


def signatures_context(
    request: HttpRequest, case: Case, steps: list[CaseStep], stage: Stage
) -> dict[str, Any]:
    """The present proposal and its approval, and whether the user may sign."""
    uploaded = stage in APPROVABLE and has_uploaded(case, actor_in(request))
    signatures = _signatures(case, steps, stage)
    return {
        "signatures": signatures,
        "valid_signatures": sum(each.status != SignatureStatus.INVALID for each in signatures),
        "waits_for_approval": stage in APPROVABLE,
        "why_not": why_not_approve(request_user(request), steps, stage, has_uploaded=uploaded),
        **(confirmation_context(request) if request.user.has_perm(APPROVE) else {}),
    }


def halts_context(request: HttpRequest, case: Case, stage: Stage) -> dict[str, Any]:
    """What keeps a running case from being executed, and whether the user may end it."""
    is_running = stage is Stage.RUNNING
    halts = open_halts() if is_running else []
    proposers = {step.actor_user_id for halt in halts for step in halt.steps.all()}
    may_resume = request.user.has_perm(APPROVE) and request.user.pk not in proposers
    refused = CaseHalt.objects.filter(case=case).first() if stage is Stage.DONE else None
    return {
        "halts": halts,
        "is_stopped": is_running and bool(stops_in_force()),
        "may_resume": may_resume,
        "refused": refused,
    }


def _signatures(case: Case, steps: list[CaseStep], stage: Stage) -> list[StepSignature]:
    if stage is Stage.REJECTED:
        return []
    verifier = SignatureVerifier()
    latest = {step.action: step for step in steps}
    shown = [latest.get(action) for action in (CaseStep.Action.PROPOSED, CaseStep.Action.APPROVED)]
    return [
        StepSignature(step, _status(case, step, verifier)) for step in shown if step is not None
    ]


def _status(case: Case, step: CaseStep, verifier: SignatureVerifier) -> SignatureStatus:
    try:
        is_signed = verify_step(case, step, verifier)
    except InvalidDecision:
        return SignatureStatus.INVALID
    return SignatureStatus.VALID if is_signed else SignatureStatus.EARLIER

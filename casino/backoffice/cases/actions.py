"""The POST actions of a case: each validates its form and calls one service."""

from typing import Final

from django.contrib import messages
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.cases.forms import (
    AnswerForm,
    ApprovalForm,
    DecisionForm,
    ProposalForm,
)
from casino.backoffice.cases.messages import error_message
from casino.backoffice.security.confirmation import require_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import action_view, cleaned_data_of
from casino.backoffice.site.form_data import actor_in, text_of
from casino.backoffice.site.form_fields import FilesField, LetterForm, letter_of
from casino.backoffice.site.noted_messages import ACCEPTED
from compliance.trail.steps import StepError
from payouts.cases.decide_case import (
    answer_case,
    approve_case,
    refer_case,
    reject_case,
    withdraw_case,
)
from payouts.cases.halt_cases import resume_cases
from payouts.cases.models import Case, CaseHalt, CaseHaltStep
from payouts.cases.open_case import add_evidence
from payouts.cases.propose_case import propose_case
from payouts.cases.remedies import Remedy
from payouts.tasks import wake_case_workers

ERRORS = (StepError,)
"""What the services of a case raise."""


def _case_or_404(case_id: int) -> Case:
    return get_object_or_404(Case, pk=case_id)


_action: Final = action_view("case", get_object=_case_or_404, errors=ERRORS, message=error_message)


@_action
def propose(request: HttpRequest, case: Case) -> None:
    """Propose a remedy for the rounds of a malfunction."""
    data = cleaned_data_of(ProposalForm(request.POST))
    propose_case(
        case_id=case.pk,
        seen=data["seen"],
        remedy=Remedy(data["remedy"]),
        effect_digest=data["digest"],
        note=data["note"],
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Proposal recorded. A second person must approve it."))


@_action
def withdraw(request: HttpRequest, case: Case) -> None:
    """End the case before a proposal is approved."""
    data = cleaned_data_of(DecisionForm(request.POST))
    withdraw_case(
        case_id=case.pk,
        seen=data["seen"],
        note=data["note"],
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Case withdrawn. The rounds are unchanged."))


@_action
def refer(request: HttpRequest, case: Case) -> None:
    """Record that the proposal was referred to the regulator."""
    data = cleaned_data_of(LetterForm(request.POST))
    refer_case(
        case_id=case.pk,
        seen=data["seen"],
        letter=letter_of(data),
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Recorded. The case is awaiting the regulator's answer."))


@_action
def answer(request: HttpRequest, case: Case) -> None:
    """Record the regulator's answer."""
    data = cleaned_data_of(AnswerForm(request.POST))
    answer_case(
        case_id=case.pk,
        seen=data["seen"],
        letter=letter_of(data),
        is_allowed=data["allowed"] == "yes",
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Answer recorded."))


@_action
def approve(request: HttpRequest, case: Case) -> None:
    """Approve the proposal. Requires a confirmed second factor."""
    data = cleaned_data_of(ApprovalForm(request.POST))
    require_confirmed(request, data["code"])
    approve_case(
        case_id=case.pk,
        seen=data["seen"],
        effect_digest=data["digest"],
        note=data["note"],
        at=decided_at(request),
        actor=signing_actor(request),
    )
    if wake_case_workers():
        messages.success(request, _("Approved. Execution has started."))
    else:
        text = _("Approved. The message broker is unavailable; execution will start shortly.")
        messages.warning(request, text, extra_tags=ACCEPTED)


@_action
def reject(request: HttpRequest, case: Case) -> None:
    """Reject the proposal. Requires a confirmed second factor."""
    data = cleaned_data_of(ApprovalForm({**request.POST.dict(), "read": "on"}))
    require_confirmed(request, data["code"])
    reject_case(
        case_id=case.pk,
        seen=data["seen"],
        note=data["note"],
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Rejected. A new proposal can be made."))


@_action
def resume(request: HttpRequest, case: Case) -> None:
    """Propose to resume the execution of cases, or resume it. Requires a confirmed factor."""
    halt = get_object_or_404(CaseHalt, case=case)
    data = cleaned_data_of(DecisionForm(request.POST))
    require_confirmed(request, text_of(request, "code"))
    step = resume_cases(
        halt_id=halt.pk,
        seen=data["seen"],
        note=data["note"],
        at=decided_at(request),
        actor=signing_actor(request),
    )
    if step.action == CaseHaltStep.Action.PROPOSED:
        messages.success(request, _("Proposal recorded. A second person must approve it."))
    else:
        wake_case_workers()
        messages.success(request, _("Execution resumed. The workers refuse this case."))


@_action
def add_files(request: HttpRequest, case: Case) -> None:
    """Add files to the evidence of the case."""
    for file in FilesField().clean(request.FILES.getlist("files")):
        add_evidence(case=case, file=file, at=timezone.now(), actor=actor_in(request))
        messages.success(request, _("%(file)s was added to the case.") % {"file": file.name})

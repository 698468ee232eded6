"""The POST actions of a dispute: each validates its form and calls one service."""

from typing import Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.disputes.dispute_page import cases_to_name, dispute_or_404
from casino.backoffice.disputes.forms import (
    ClosingForm,
    DecisionForm,
    OutsideAnswerForm,
    StepForm,
    TextForm,
)
from casino.backoffice.disputes.messages import ERRORS, error_message
from casino.backoffice.disputes.remedy_form import options_for, submitted_remedy
from casino.backoffice.security.confirmation import require_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import action_view, cleaned_data_of
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.form_fields import FilesField, LetterForm, letter_of
from payouts.disputes.close_dispute import (
    close_dispute,
    escalate_dispute,
    record_outside_answer,
    reopen_dispute,
)
from payouts.disputes.decide_dispute import citable_headings, reject_dispute, uphold_dispute
from payouts.disputes.models import Dispute, DisputeEvidence, DisputeFinding
from payouts.disputes.open_dispute import add_dispute_evidence, share_evidence
from payouts.disputes.review_dispute import answer_dispute, ask_customer, take_dispute

_action: Final = action_view(
    "dispute", get_object=dispute_or_404, errors=ERRORS, message=error_message
)


@_action
def take(request: HttpRequest, dispute: Dispute) -> None:
    """Start the review."""
    seen = cleaned_data_of(StepForm(request.POST))["seen"]
    at, actor = timezone.now(), actor_in(request)
    take_dispute(dispute_id=dispute.pk, seen=seen, at=at, actor=actor)
    messages.success(request, _("The dispute is assigned to you."))


@_action
def ask(request: HttpRequest, dispute: Dispute) -> None:
    """Record a question to the customer."""
    data = cleaned_data_of(TextForm(request.POST))
    at, actor = timezone.now(), actor_in(request)
    ask_customer(dispute_id=dispute.pk, seen=data["seen"], note=data["note"], at=at, actor=actor)
    messages.success(request, _("Recorded. The deadline is suspended until the customer answers."))


@_action
def answer(request: HttpRequest, dispute: Dispute) -> None:
    """Record the customer's answer."""
    data = cleaned_data_of(TextForm(request.POST))
    at, actor = timezone.now(), actor_in(request)
    answer_dispute(dispute_id=dispute.pk, seen=data["seen"], note=data["note"], at=at, actor=actor)
    messages.success(request, _("Answer recorded."))


@_action
def close(request: HttpRequest, dispute: Dispute) -> None:
    """Close a rejected dispute."""
    data = cleaned_data_of(ClosingForm(request.POST))
    at, actor = timezone.now(), actor_in(request)
    close_dispute(dispute_id=dispute.pk, seen=data["seen"], note=data["note"], at=at, actor=actor)
    messages.success(request, _("Dispute closed."))


@_action
def escalate(request: HttpRequest, dispute: Dispute) -> None:
    """Record that the customer escalated to the external body."""
    data = cleaned_data_of(LetterForm(request.POST))
    at, actor = timezone.now(), actor_in(request)
    escalate_dispute(
        dispute_id=dispute.pk, seen=data["seen"], letter=letter_of(data), at=at, actor=actor
    )
    messages.success(request, _("Recorded. The dispute is awaiting the external body."))


@_action
def record_answer_outside(request: HttpRequest, dispute: Dispute) -> None:
    """Record the external body's answer."""
    data = cleaned_data_of(OutsideAnswerForm(request.POST))
    record_outside_answer(
        dispute_id=dispute.pk,
        seen=data["seen"],
        letter=letter_of(data),
        is_confirmed=data["confirmed"] == "yes",
        at=timezone.now(),
        actor=actor_in(request),
    )
    messages.success(request, _("Answer recorded."))


@_action
def reopen(request: HttpRequest, dispute: Dispute) -> None:
    """Return the dispute to review. Possible once."""
    data = cleaned_data_of(TextForm(request.POST))
    at, actor = timezone.now(), actor_in(request)
    reopen_dispute(dispute_id=dispute.pk, seen=data["seen"], note=data["note"], at=at, actor=actor)
    messages.success(request, _("The dispute is back in review."))


@_action
def uphold(request: HttpRequest, dispute: Dispute) -> None:
    """Uphold the dispute with the previewed remedy. Requires a confirmed second factor."""
    data = cleaned_data_of(DecisionForm(request.POST, headings=citable_headings(dispute)))
    require_confirmed(request, data["code"])
    finding = DisputeFinding.objects.get(pk=dispute.pk).content
    options = options_for(dispute, cases_to_name(dispute), has_bets=bool(finding["bets"]))
    remedy = submitted_remedy(options, dispute, finding, request.POST)
    if remedy is None:
        raise forms.ValidationError(_("Select a remedy and review its effect first."))
    uphold_dispute(
        dispute_id=dispute.pk,
        seen=data["seen"],
        is_whole="partly" not in request.POST,
        note=data["note"],
        citations=data["citations"],
        remedy=remedy,
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Upheld. A second person must approve the payment."))


@_action
def reject(request: HttpRequest, dispute: Dispute) -> None:
    """Reject the dispute. Requires a confirmed second factor."""
    data = cleaned_data_of(DecisionForm(request.POST, headings=citable_headings(dispute)))
    require_confirmed(request, data["code"])
    reject_dispute(
        dispute_id=dispute.pk,
        seen=data["seen"],
        note=data["note"],
        citations=data["citations"],
        at=decided_at(request),
        actor=signing_actor(request),
    )
    messages.success(request, _("Rejected. The customer can escalate to the external body."))


@_action
def add_files(request: HttpRequest, dispute: Dispute) -> None:
    """Add files to the evidence of the dispute."""
    for file in FilesField().clean(request.FILES.getlist("files")):
        add_dispute_evidence(
            dispute=dispute,
            file=file,
            is_shared="is_shared" in request.POST,
            at=timezone.now(),
            actor=actor_in(request),
        )
        messages.success(request, _("%(file)s was added to the dispute.") % {"file": file.name})


def share_file(request: HttpRequest, dispute_id: int, evidence_id: int) -> HttpResponse:
    """Share a file with the customer. Sharing cannot be undone."""
    evidence = get_object_or_404(DisputeEvidence, pk=evidence_id, dispute_id=dispute_id)
    share_evidence(evidence=evidence, at=timezone.now(), actor=actor_in(request))
    text = _("%(file)s is now shared with the customer.") % {"file": evidence.name}
    messages.success(request, text)
    return redirect("dispute", dispute_id)

"""What the forms of a dispute do: one form, one call, one message."""

from contextlib import AbstractContextManager

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from payouts.models import DisputeFinding
from payouts.pages.asked import asker
from payouts.pages.cases.forms import FilesField
from payouts.pages.confirming import require_confirmed
from payouts.pages.deeds import asked_of, refusals_told
from payouts.pages.disputes.dispute_page import cases_to_name, known
from payouts.pages.disputes.forms import (
    ClosingForm,
    DecisionForm,
    LetterForm,
    StepForm,
    TextForm,
)
from payouts.pages.disputes.remedy_asked import options_for, remedy_named
from payouts.pages.disputes.words import REFUSALS, refusal_words
from payouts.services.decide_dispute import headings_for, reject_dispute, uphold_dispute
from payouts.services.end_dispute import (
    Letter,
    answer_from_outside,
    close_dispute,
    escalate_dispute,
    reopen_dispute,
)
from payouts.services.open_dispute import add_dispute_evidence
from payouts.services.review_dispute import answer_dispute, ask_customer, take_dispute


def take(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Takes it into review."""
    known(dispute_id)
    with _told(request):
        asked = asked_of(StepForm(request.POST))
        take_dispute(dispute_id=dispute_id, at=timezone.now(), actor=asker(request), **asked)
        messages.success(request, _("You have it."))
    return redirect("dispute", dispute_id)


def ask(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Asks the customer."""
    known(dispute_id)
    with _told(request):
        asked = asked_of(TextForm(request.POST))
        ask_customer(dispute_id=dispute_id, at=timezone.now(), actor=asker(request), **asked)
        messages.success(request, _("On record. The time for the decision stands still."))
    return redirect("dispute", dispute_id)


def answer(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """What the customer answered."""
    known(dispute_id)
    with _told(request):
        asked = asked_of(TextForm(request.POST))
        answer_dispute(dispute_id=dispute_id, at=timezone.now(), actor=asker(request), **asked)
        messages.success(request, _("The answer is on record."))
    return redirect("dispute", dispute_id)


def uphold(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Upholds it with the remedy that was looked at, by somebody who has just proved who he is."""
    dispute = known(dispute_id)
    with _told(request):
        asked = asked_of(DecisionForm(request.POST, headings=headings_for(dispute)))
        require_confirmed(request, asked["code"])
        found = DisputeFinding.objects.get(pk=dispute.pk).content
        options = options_for(dispute, cases_to_name(dispute), has_bets=bool(found["bets"]))
        remedy = remedy_named(options, dispute, found, request.POST)
        if remedy is None:
            raise forms.ValidationError(_("Choose a remedy and look at it first."))
        uphold_dispute(
            dispute_id=dispute_id,
            seen=asked["seen"],
            is_whole="partly" not in request.POST,
            note=asked["note"],
            citations=asked["citations"],
            remedy=remedy,
            at=timezone.now(),
            actor=asker(request),
        )
        messages.success(request, _("Upheld. A second person decides about the money."))
    return redirect("dispute", dispute_id)


def reject(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Rejects it, by somebody who has just proved who he is."""
    dispute = known(dispute_id)
    with _told(request):
        asked = asked_of(DecisionForm(request.POST, headings=headings_for(dispute)))
        require_confirmed(request, asked["code"])
        reject_dispute(
            dispute_id=dispute_id,
            seen=asked["seen"],
            note=asked["note"],
            citations=asked["citations"],
            at=timezone.now(),
            actor=asker(request),
        )
        messages.success(request, _("Rejected. The customer may go to the outside body."))
    return redirect("dispute", dispute_id)


def close(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Closes a rejected one."""
    known(dispute_id)
    with _told(request):
        asked = asked_of(ClosingForm(request.POST))
        close_dispute(dispute_id=dispute_id, at=timezone.now(), actor=asker(request), **asked)
        messages.success(request, _("Closed."))
    return redirect("dispute", dispute_id)


def escalate(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Says that the customer went to the outside body."""
    known(dispute_id)
    with _told(request):
        asked = asked_of(LetterForm(request.POST))
        letter = Letter(asked["reference"], asked["on_day"], asked["note"])
        escalate_dispute(
            dispute_id=dispute_id,
            seen=asked["seen"],
            letter=letter,
            at=timezone.now(),
            actor=asker(request),
        )
        messages.success(request, _("On record. The dispute waits for the outside body."))
    return redirect("dispute", dispute_id)


def outside(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Says what the outside body answered."""
    known(dispute_id)
    with _told(request):
        asked = asked_of(LetterForm(request.POST))
        answer_from_outside(
            dispute_id=dispute_id,
            seen=asked["seen"],
            is_confirmed=asked["confirmed"] == "yes",
            letter=Letter(asked["reference"], asked["on_day"], asked["note"]),
            at=timezone.now(),
            actor=asker(request),
        )
        messages.success(request, _("The answer is on record."))
    return redirect("dispute", dispute_id)


def reopen(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Puts it back into review, once."""
    known(dispute_id)
    with _told(request):
        asked = asked_of(TextForm(request.POST))
        reopen_dispute(dispute_id=dispute_id, at=timezone.now(), actor=asker(request), **asked)
        messages.success(request, _("It is in review again."))
    return redirect("dispute", dispute_id)


def add_files(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Keeps files with the dispute."""
    dispute = known(dispute_id)
    with _told(request):
        for file in FilesField().clean(request.FILES.getlist("files")):
            add_dispute_evidence(
                dispute=dispute, file=file, at=timezone.now(), actor=asker(request)
            )
            messages.success(request, _("%(file)s is kept with the dispute.") % {"file": file.name})
    return redirect("dispute", dispute_id)


def _told(request: HttpRequest) -> AbstractContextManager[None]:
    """Tells the person why nothing was done."""
    return refusals_told(request, *REFUSALS, words=refusal_words)

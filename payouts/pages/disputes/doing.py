"""What the forms of a dispute do: one form, one call, one message."""

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from payouts.models import DisputeFinding
from payouts.pages.asked import asker
from payouts.pages.cases.forms import FilesField
from payouts.pages.confirming import require_confirmed
from payouts.pages.deeds import Deeds, asked_of
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


def _letter(asked: dict[str, Any]) -> dict[str, Any]:
    letter = Letter(asked["reference"], asked["on_day"], asked["note"])
    return {"seen": asked["seen"], "letter": letter}


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    return {**_letter(asked), "is_confirmed": asked["confirmed"] == "yes"}


_DEEDS: Final = Deeds(known, "dispute", REFUSALS, refusal_words)

take: Final = _DEEDS.deed(StepForm, take_dispute, gettext_lazy("You have it."))
"""Takes it into review."""

ask: Final = _DEEDS.deed(
    TextForm, ask_customer, gettext_lazy("On record. The time for the decision stands still.")
)
"""Asks the customer."""

answer: Final = _DEEDS.deed(TextForm, answer_dispute, gettext_lazy("The answer is on record."))
"""What the customer answered."""

close: Final = _DEEDS.deed(ClosingForm, close_dispute, gettext_lazy("Closed."))
"""Closes a rejected one."""

escalate: Final = _DEEDS.deed(
    LetterForm,
    escalate_dispute,
    gettext_lazy("On record. The dispute waits for the outside body."),
    reading=_letter,
)
"""Says that the customer went to the outside body."""

outside: Final = _DEEDS.deed(
    LetterForm, answer_from_outside, gettext_lazy("The answer is on record."), reading=_answer
)
"""Says what the outside body answered."""

reopen: Final = _DEEDS.deed(TextForm, reopen_dispute, gettext_lazy("It is in review again."))
"""Puts it back into review, once."""


def uphold(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Upholds it with the remedy that was looked at, by somebody who has just proved who he is."""
    dispute = known(dispute_id)
    with _DEEDS.refusals_told(request):
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
    with _DEEDS.refusals_told(request):
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


def add_files(request: HttpRequest, dispute_id: int) -> HttpResponse:
    """Keeps files with the dispute."""
    dispute = known(dispute_id)
    with _DEEDS.refusals_told(request):
        for file in FilesField().clean(request.FILES.getlist("files")):
            add_dispute_evidence(
                dispute=dispute, file=file, at=timezone.now(), actor=asker(request)
            )
            messages.success(request, _("%(file)s is kept with the dispute.") % {"file": file.name})
    return redirect("dispute", dispute_id)

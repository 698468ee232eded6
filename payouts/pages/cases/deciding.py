"""What the forms of a case do: one form, one call, one message."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from payouts.cases.remedies import Remedy
from payouts.models import Case
from payouts.pages.asked import asker
from payouts.pages.cases.forms import (
    ApprovalForm,
    DecisionForm,
    FilesField,
    LetterForm,
    ProposalForm,
)
from payouts.pages.cases.words import refusal_words
from payouts.pages.confirming import require_confirmed
from payouts.pages.deeds import Deeds, asked_of
from payouts.services.case_steps import CaseRefusal
from payouts.services.decide_case import (
    Letter,
    answer_case,
    approve_case,
    refer_case,
    reject_case,
    withdraw_case,
)
from payouts.services.open_case import add_evidence
from payouts.services.propose_case import propose_case
from payouts.services.two_persons import NoReason, NotByTwo
from payouts.tasks import ring_for_cases

REFUSALS = (CaseRefusal, NotByTwo, NoReason)
"""Whatever the services refuse."""


def _known(case_id: int) -> Case:
    return get_object_or_404(Case, pk=case_id)


def _proposal(asked: dict[str, Any]) -> dict[str, Any]:
    return {
        "seen": asked["seen"],
        "remedy": Remedy(asked["remedy"]),
        "effect_digest": asked["digest"],
        "note": asked["note"],
    }


def _letter(asked: dict[str, Any]) -> dict[str, Any]:
    letter = Letter(asked["reference"], asked["on_day"], asked["note"])
    return {"seen": asked["seen"], "letter": letter}


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    return {**_letter(asked), "is_allowed": asked["allowed"] == "yes"}


_DEEDS: Final = Deeds(_known, "case", REFUSALS, refusal_words)

propose: Final = _DEEDS.deed(
    ProposalForm,
    propose_case,
    gettext_lazy("Proposed. A second person decides."),
    reading=_proposal,
)
"""Proposes a remedy for the rounds of a malfunction."""

withdraw: Final = _DEEDS.deed(
    DecisionForm, withdraw_case, gettext_lazy("Withdrawn. The rounds stay as they are.")
)
"""Ends the case before anything is approved."""

refer: Final = _DEEDS.deed(
    LetterForm,
    refer_case,
    gettext_lazy("On record. The case waits for the answer."),
    reading=_letter,
)
"""Says that the proposal was put before the regulator."""

answer: Final = _DEEDS.deed(
    LetterForm, answer_case, gettext_lazy("The answer is on record."), reading=_answer
)
"""Says what the regulator answered."""


def approve(request: HttpRequest, case_id: int) -> HttpResponse:
    """Approves what was proposed, by somebody who has just proved who they are."""
    _known(case_id)
    with _DEEDS.refusals_told(request):
        asked = asked_of(ApprovalForm(request.POST))
        require_confirmed(request, asked["code"])
        approve_case(
            case_id=case_id,
            seen=asked["seen"],
            effect_digest=asked["digest"],
            note=asked["note"],
            at=timezone.now(),
            actor=asker(request),
        )
        if ring_for_cases():
            messages.success(request, _("Approved. The workers are at it."))
        else:
            messages.warning(request, _("Approved. The broker is away: it begins soon."))
    return redirect("case", case_id)


def reject(request: HttpRequest, case_id: int) -> HttpResponse:
    """Rejects what was proposed."""
    _known(case_id)
    with _DEEDS.refusals_told(request):
        asked = asked_of(ApprovalForm({**request.POST.dict(), "read": "on"}))
        require_confirmed(request, asked["code"])
        said = {"seen": asked["seen"], "note": asked["note"]}
        reject_case(case_id=case_id, at=timezone.now(), actor=asker(request), **said)
        messages.success(request, _("Rejected. Another proposal may be made."))
    return redirect("case", case_id)


def add_files(request: HttpRequest, case_id: int) -> HttpResponse:
    """Keeps files with the case."""
    case = _known(case_id)
    with _DEEDS.refusals_told(request):
        for file in FilesField().clean(request.FILES.getlist("files")):
            add_evidence(case=case, file=file, at=timezone.now(), actor=asker(request))
            messages.success(request, _("%(file)s is kept with the case.") % {"file": file.name})
    return redirect("case", case_id)

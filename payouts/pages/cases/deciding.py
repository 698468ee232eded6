"""What the forms of a case do: one form, one call, one message."""

from contextlib import AbstractContextManager
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from compliance.trail.actor import Actor
from payouts.cases.remedies import Remedy
from payouts.models import Case
from payouts.pages.cases.forms import (
    ApprovalForm,
    DecisionForm,
    FilesField,
    LetterForm,
    ProposalForm,
)
from payouts.pages.cases.words import refusal_words
from payouts.pages.confirming import require_confirmed
from payouts.pages.deeds import asked_of, refusals_told
from payouts.pages.own_pages import person_of
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
from payouts.stuck.people import actor_of
from payouts.tasks import ring_for_cases

REFUSALS = (CaseRefusal, NotByTwo, NoReason)
"""Whatever the services refuse."""


def propose(request: HttpRequest, case_id: int) -> HttpResponse:
    """Proposes a remedy for the rounds of a malfunction."""
    _known(case_id)
    with _told(request):
        asked = asked_of(ProposalForm(request.POST))
        propose_case(
            case_id=case_id,
            seen=asked["seen"],
            remedy=Remedy(asked["remedy"]),
            effect_digest=asked["digest"],
            note=asked["note"],
            at=timezone.now(),
            actor=acting(request),
        )
        messages.success(request, _("Proposed. A second person decides."))
    return redirect("case", case_id)


def approve(request: HttpRequest, case_id: int) -> HttpResponse:
    """Approves what was proposed, by somebody who has just proved who they are."""
    _known(case_id)
    with _told(request):
        asked = asked_of(ApprovalForm(request.POST))
        require_confirmed(request, asked["code"])
        approve_case(
            case_id=case_id,
            seen=asked["seen"],
            effect_digest=asked["digest"],
            note=asked["note"],
            at=timezone.now(),
            actor=acting(request),
        )
        if ring_for_cases():
            messages.success(request, _("Approved. The workers are at it."))
        else:
            messages.warning(request, _("Approved. The broker is away: it begins soon."))
    return redirect("case", case_id)


def reject(request: HttpRequest, case_id: int) -> HttpResponse:
    """Rejects what was proposed."""
    _known(case_id)
    with _told(request):
        asked = asked_of(ApprovalForm({**request.POST.dict(), "read": "on"}))
        require_confirmed(request, asked["code"])
        said = {"seen": asked["seen"], "note": asked["note"]}
        reject_case(case_id=case_id, at=timezone.now(), actor=acting(request), **said)
        messages.success(request, _("Rejected. Another proposal may be made."))
    return redirect("case", case_id)


def withdraw(request: HttpRequest, case_id: int) -> HttpResponse:
    """Ends the case before anything is approved."""
    _known(case_id)
    with _told(request):
        asked = asked_of(DecisionForm(request.POST))
        withdraw_case(case_id=case_id, at=timezone.now(), actor=acting(request), **asked)
        messages.success(request, _("Withdrawn. The rounds stay as they are."))
    return redirect("case", case_id)


def refer(request: HttpRequest, case_id: int) -> HttpResponse:
    """Says that the proposal was put before the regulator."""
    _known(case_id)
    with _told(request):
        asked = asked_of(LetterForm(request.POST))
        refer_case(
            case_id=case_id,
            seen=asked["seen"],
            letter=_letter(asked),
            at=timezone.now(),
            actor=acting(request),
        )
        messages.success(request, _("On record. The case waits for the answer."))
    return redirect("case", case_id)


def answer(request: HttpRequest, case_id: int) -> HttpResponse:
    """Says what the regulator answered."""
    _known(case_id)
    with _told(request):
        asked = asked_of(LetterForm(request.POST))
        answer_case(
            case_id=case_id,
            seen=asked["seen"],
            is_allowed=asked["allowed"] == "yes",
            letter=_letter(asked),
            at=timezone.now(),
            actor=acting(request),
        )
        messages.success(request, _("The answer is on record."))
    return redirect("case", case_id)


def add_files(request: HttpRequest, case_id: int) -> HttpResponse:
    """Keeps files with the case."""
    case = _known(case_id)
    with _told(request):
        for file in FilesField().clean(request.FILES.getlist("files")):
            add_evidence(case=case, file=file, at=timezone.now(), actor=acting(request))
            messages.success(request, _("%(file)s is kept with the case.") % {"file": file.name})
    return redirect("case", case_id)


def acting(request: HttpRequest) -> Actor:
    """The person who asks, as the trail names them."""
    return actor_of(person_of(request))


def _known(case_id: int) -> Case:
    case = Case.objects.filter(pk=case_id).first()
    if case is None:
        raise Http404
    return case


def _letter(asked: dict[str, Any]) -> Letter:
    return Letter(asked["reference"], asked["on_day"], asked["note"])


def _told(request: HttpRequest) -> AbstractContextManager[None]:
    """Tells the person why nothing was done."""
    return refusals_told(request, *REFUSALS, words=refusal_words)

"""Opening a case: of a malfunction, or of a goodwill credit."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from payouts.models import Case
from payouts.pages.asked import asker
from payouts.pages.cases.deciding import REFUSALS
from payouts.pages.cases.forms import CreditForm, MalfunctionForm, beginning_of_hour
from payouts.pages.cases.words import refusal_words
from payouts.pages.own_pages import show
from payouts.services.open_case import open_case
from payouts.services.propose_case import propose_credit


def open_malfunction(request: HttpRequest) -> HttpResponse:
    """Asks what broke, and opens a case about it; its page then shows what can be decided."""
    if request.method != "POST":
        return _ask(request, MalfunctionForm(purpose="malfunction", initial=_initial(request)))
    form = MalfunctionForm(request.POST, request.FILES, purpose="malfunction")
    if not form.is_valid():
        return _ask(request, form)
    asked = form.cleaned_data
    try:
        case = open_case(
            kind=Case.Kind.MALFUNCTION,
            reason=asked["reason"],
            text=asked["text"],
            round_ids=asked["round_ids"],
            window=asked["window"],
            files=asked["evidence"],
            at=timezone.now(),
            actor=asker(request),
        )
    except REFUSALS as refusal:
        form.add_error(None, refusal_words(refusal))
        return _ask(request, form)
    messages.success(request, _("The case is open. Look at the effect and propose."))
    return redirect("case", case.pk)


def open_credit(request: HttpRequest) -> HttpResponse:
    """Asks whom to credit, and proposes it."""
    initial = {"customer": request.GET.get("customer", "")}
    form = CreditForm(request.POST or None, purpose="goodwill", initial=initial)
    if request.method != "POST" or not form.is_valid():
        return _ask(request, form, is_credit=True)
    asked, actor, at = form.cleaned_data, asker(request), timezone.now()
    try:
        with transaction.atomic():
            case = open_case(
                kind=Case.Kind.GOODWILL,
                reason=asked["reason"],
                text=asked["text"],
                round_ids=(),
                at=at,
                actor=actor,
            )
            propose_credit(
                case_id=case.pk,
                seen=1,
                customer_id=asked["customer"].pk,
                cents=asked["amount"],
                note=asked["text"],
                at=at,
                actor=actor,
            )
    except REFUSALS as refusal:
        form.add_error(None, refusal_words(refusal))
        return _ask(request, form, is_credit=True)
    messages.success(request, _("Proposed. A second person decides."))
    return redirect("case", case.pk)


def _initial(request: HttpRequest) -> dict[str, Any]:
    """The round from whose page somebody comes, else this hour."""
    if references := request.GET.get("rounds", ""):
        return {"references": references}
    hour = beginning_of_hour()
    table = request.GET.get("table", "")
    return {"table": table, "first": hour, "last": timezone.localtime()} if table else {}


def _ask(
    request: HttpRequest, form: MalfunctionForm | CreditForm, *, is_credit: bool = False
) -> HttpResponse:
    title = _("Credit a customer") if is_credit else _("Report a malfunction")
    context = {
        "title": title,
        "parent": {"title": _("Cases"), "address": reverse("cases")},
        "form": form,
        "is_credit": is_credit,
    }
    return show(request, "pages/cases/open.html", context)

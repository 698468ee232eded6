"""Open a case: a malfunction or a goodwill credit."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.cases.actions import ERRORS
from casino.backoffice.cases.forms import CreditForm, MalfunctionForm, beginning_of_hour
from casino.backoffice.cases.messages import error_message
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.views import show
from payouts.cases.models import Case
from payouts.cases.open_case import open_case
from payouts.cases.propose_case import propose_credit


def open_malfunction(request: HttpRequest) -> HttpResponse:
    """Open a malfunction case; its page then shows the remedies."""
    if request.method != "POST":
        return _ask(request, MalfunctionForm(purpose="malfunction", initial=_initial(request)))
    form = MalfunctionForm(request.POST, request.FILES, purpose="malfunction")
    if not form.is_valid():
        return _ask(request, form)
    data = form.cleaned_data
    try:
        case = open_case(
            kind=Case.Kind.MALFUNCTION,
            reason=data["reason"],
            text=data["text"],
            round_ids=data["round_ids"],
            window=data["window"],
            files=data["evidence"],
            at=timezone.now(),
            actor=actor_in(request),
        )
    except ERRORS as error:
        form.add_error(None, error_message(error))
        return _ask(request, form)
    messages.success(request, _("Case opened. Review the effect and propose a remedy."))
    return redirect("case", case.pk)


def open_credit(request: HttpRequest) -> HttpResponse:
    """Open a case with a proposed goodwill credit."""
    initial = {"customer": request.GET.get("customer", "")}
    form = CreditForm(request.POST or None, purpose="goodwill", initial=initial)
    if request.method != "POST" or not form.is_valid():
        return _ask(request, form, is_credit=True)
    data, actor, at = form.cleaned_data, signing_actor(request), decided_at(request)
    try:
        with transaction.atomic():
            case = open_case(
                kind=Case.Kind.GOODWILL,
                reason=data["reason"],
                text=data["text"],
                round_ids=(),
                at=at,
                actor=actor,
            )
            propose_credit(
                case_id=case.pk,
                seen=1,
                customer_id=data["customer"].pk,
                cents=data["amount"],
                note=data["text"],
                at=at,
                actor=actor,
            )
    except ERRORS as error:
        form.add_error(None, error_message(error))
        return _ask(request, form, is_credit=True)
    messages.success(request, _("Proposal recorded. A second person must approve it."))
    return redirect("case", case.pk)


def _initial(request: HttpRequest) -> dict[str, Any]:
    """The rounds or the table in the query string, with the current hour."""
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
    return show(request, "backoffice/cases/open.html", context)

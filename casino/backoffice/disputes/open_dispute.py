"""Open a dispute from the page of its round."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.cases.round_decisions import round_of
from casino.backoffice.disputes.forms import OpeningForm
from casino.backoffice.disputes.messages import ERRORS, error_message
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.views import show
from payouts.disputes.models import Dispute
from payouts.disputes.open_dispute import Contested, open_dispute
from rounds.formatting import is_italian
from rounds.models import Bet, Round


def open_about(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Open a dispute; its page shows the finding."""
    row = round_of(round_id)
    if request.method != "POST":
        return _ask(request, row, OpeningForm(row=row, initial=_initial(request, row)))
    form = OpeningForm(request.POST, request.FILES, row=row)
    if not form.is_valid():
        return _ask(request, row, form)
    data = form.cleaned_data
    try:
        dispute = open_dispute(
            contested=Contested(
                row.id,
                data["customer"].pk,
                Dispute.Reason(data["reason"]),
                data["text"],
                Dispute.Language(data["language"]),
                data["bet_number"],
                data["claimed"],
            ),
            opened_by=Dispute.OpenedBy.PERSON,
            files=data["evidence"],
            is_shared=data["is_shared"],
            at=timezone.now(),
            actor=actor_in(request),
        )
    except ERRORS as error:
        form.add_error(None, error_message(error))
        return _ask(request, row, form)
    messages.success(request, _("Dispute opened. The round was evaluated again."))
    return redirect("dispute", dispute.pk)


def _initial(request: HttpRequest, row: Round) -> dict[str, Any]:
    """The bet and customer in the query string."""
    number = request.GET.get("bet", "")
    initial = {"language": "it" if is_italian() else "en"}
    if not (number.isascii() and number.isdecimal() and len(number) <= len("999999999")):
        return initial
    bets = Bet.objects.filter(round=row, number=int(number)).select_related("customer")
    bet = bets.first()
    return (
        initial
        if bet is None
        else {**initial, "customer": bet.customer.pseudonym, "bet": bet.reference}
    )


def _ask(request: HttpRequest, row: Round, form: OpeningForm) -> HttpResponse:
    address = reverse("admin:rounds_round_change", args=[row.pk])
    context = {
        "title": _("Dispute about round %(code)s") % {"code": row.game_code},
        "parent": {"title": row.game_code, "address": address},
        "row": row,
        "form": form,
    }
    return show(request, "backoffice/disputes/open.html", context)

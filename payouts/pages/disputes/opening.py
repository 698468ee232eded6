"""Opening a dispute from the page of its round."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from payouts.models import Dispute
from payouts.pages.asked import asker
from payouts.pages.cases.one_round import round_of
from payouts.pages.disputes.forms import OpeningForm
from payouts.pages.disputes.words import REFUSALS, refusal_words
from payouts.pages.own_pages import show
from payouts.services.open_dispute import Contested, open_dispute
from rounds.models import Bet, Round


def open_about(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """Asks who contests what, and opens the dispute; its page shows what was found."""
    row = round_of(round_id)
    if request.method != "POST":
        return _ask(request, row, OpeningForm(row=row, initial=_initial(request, row)))
    form = OpeningForm(request.POST, request.FILES, row=row)
    if not form.is_valid():
        return _ask(request, row, form)
    asked = form.cleaned_data
    try:
        dispute = open_dispute(
            contested=Contested(
                row.id,
                asked["customer"].pk,
                Dispute.Reason(asked["reason"]),
                asked["text"],
                Dispute.Language(asked["language"]),
                asked["bet_number"],
                asked["claimed"],
            ),
            opened_by=Dispute.OpenedBy.PERSON,
            files=asked["evidence"],
            at=timezone.now(),
            actor=asker(request),
        )
    except REFUSALS as refusal:
        form.add_error(None, refusal_words(refusal))
        return _ask(request, row, form)
    messages.success(request, _("The dispute is open. The round was judged anew at once."))
    return redirect("dispute", dispute.pk)


def _initial(request: HttpRequest, row: Round) -> dict[str, Any]:
    """The bet from whose line somebody comes, with its customer."""
    number = request.GET.get("bet", "")
    said = {"language": "it" if (get_language() or "").startswith("it") else "en"}
    if not (number.isascii() and number.isdecimal() and len(number) <= len("999999999")):
        return said
    bets = Bet.objects.filter(round=row, number=int(number)).select_related("customer")
    bet = bets.first()
    return (
        said if bet is None else {**said, "customer": bet.customer.pseudonym, "bet": bet.reference}
    )


def _ask(request: HttpRequest, row: Round, form: OpeningForm) -> HttpResponse:
    address = reverse("admin:rounds_round_change", args=[row.pk])
    context = {
        "title": _("Dispute about round %(code)s") % {"code": row.game_code},
        "parent": {"title": row.game_code, "address": address},
        "row": row,
        "form": form,
    }
    return show(request, "pages/disputes/open.html", context)

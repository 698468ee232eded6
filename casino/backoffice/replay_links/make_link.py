"""Make a replay link from the page of its round; its address is shown once."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.cases.round_decisions import round_of
from casino.backoffice.replay_links.forms import LinkForm
from casino.backoffice.replay_links.tokens import digest_of_token, new_link_token
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.views import show
from compliance.exports.dossier.models import Dossier
from compliance.exports.replay_links.replay_links import (
    NoBetOfCustomer,
    Recipient,
    make_replay_link,
)
from rounds.models import Customer, Round

LOOK: Final = "exports.view_replaylink"
"""Permission to see links; nobody sees their addresses."""
MAKE: Final = "exports.make_replay_link"
"""Permission to make and revoke links."""


def make_link(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The form of a new link; then its address."""
    row = round_of(round_id)
    form = LinkForm(request.POST if request.method == "POST" else None)
    if request.method != "POST":
        form = LinkForm(initial={"customer": only_customer(request)})
    elif form.is_valid():
        token, at = new_link_token(), timezone.now()
        data = form.cleaned_data
        recipient = Recipient(
            Dossier.Audience(data["audience"]),
            data["recipient"],
            data["customer"],
            data["purpose"],
            at + timedelta(days=data["days"]),
        )
        digest = digest_of_token(token) or b""
        try:
            link = make_replay_link(
                row=row, recipient=recipient, token_digest=digest, at=at, actor=actor_in(request)
            )
        except NoBetOfCustomer:
            form.add_error("customer", _("This customer has no bet in the round."))
        else:
            address = request.build_absolute_uri(reverse("replay", args=[token]))
            made = {"title": _("Link to the replay"), "link": link, "address": address}
            answer = _show(request, "made", row, made)
            answer.is_saved = True  # type: ignore[attr-defined]  # its draft is done with
            return answer
    return _show(request, "make", row, {"title": _("Make a replay link"), "form": form})


def only_customer(request: HttpRequest) -> str:
    """The customer in the query string, as a dispute links here."""
    pseudonym = request.GET.get("customer", "").replace("\0", "")
    known = Customer.objects.filter(pseudonym=pseudonym).first() if pseudonym else None
    return "" if known is None else known.pseudonym


def _show(request: HttpRequest, template: str, row: Round, context: dict[str, Any]) -> HttpResponse:
    address = reverse("admin:rounds_round_change", args=[row.pk])
    parent = {"title": row.game_code, "address": address}
    context = {"row": row, "parent": parent, **context}
    return show(request, f"backoffice/replay_links/{template}.html", context)

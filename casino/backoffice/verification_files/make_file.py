"""Make a verification file from the page of its round; it is downloaded once and not stored."""

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.backoffice.cases.round_decisions import round_of
from casino.backoffice.replay_links.forms import OutsideReaderForm
from casino.backoffice.replay_links.make_link import MAKE, only_customer
from casino.backoffice.security.step_up import step_up
from casino.backoffice.site.downloads import attachment
from casino.backoffice.site.form_data import actor_in
from casino.backoffice.site.views import page, show
from compliance.exports.dossier.models import Dossier
from compliance.exports.replay_links.replay_links import NoBetOfCustomer
from compliance.exports.verification_file import (
    NotReducible,
    PageNotInstalled,
    Reader,
    make_verification_file,
)
from compliance.trail.log.stored_tree import NotInLog
from rounds.models import Round


def make_file(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The form of a new file; then the file."""
    row = round_of(round_id)
    form = OutsideReaderForm(request.POST if request.method == "POST" else None)
    if request.method != "POST":
        form = OutsideReaderForm(initial={"customer": only_customer(request)})
    elif form.is_valid() and (text := _file(request, row, form)) is not None:
        name = f"verification-{row.reference}.html"
        answer = attachment(text, name=name, content_type="text/html; charset=utf-8")
        answer.is_saved = True  # type: ignore[attr-defined]  # its draft is done with
        return answer
    parent = {
        "title": row.game_code,
        "address": reverse("admin:rounds_round_change", args=[row.pk]),
    }
    context = {"row": row, "parent": parent, "title": _("Make a verification file"), "form": form}
    return show(request, "backoffice/verification_files/make.html", context)


def _file(request: HttpRequest, row: Round, form: OutsideReaderForm) -> str | None:
    """The file; None, with the reason on the page, if it cannot be made."""
    data = form.cleaned_data
    reader = Reader(
        Dossier.Audience(data["audience"]), data["recipient"], data["customer"], data["purpose"]
    )
    try:
        return make_verification_file(row, reader, at=timezone.now(), actor=actor_in(request))
    except PageNotInstalled:
        form.add_error(None, _("The page of verification files is not installed here."))
    except NoBetOfCustomer:
        form.add_error("customer", _("This customer has no bet in the round."))
    except NotReducible:
        text = _("The rules cannot judge this round from one customer's bets alone.")
        form.add_error("customer", text)
    except NotInLog:
        messages.warning(
            request, _("The record is not in the signed log yet. Try again in a few seconds.")
        )
    return None


VERIFICATION_FILES: Final = [
    path(
        "rounds/<uuid:round_id>/verification-file/",
        page(step_up(make_file), permission=MAKE),
        name="make_verification_file",
    ),
]

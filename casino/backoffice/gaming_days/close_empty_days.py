"""The confirmation page for closing days without bookings together."""

from datetime import timedelta

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.backoffice.gaming_days.close_day import ClosingForm
from casino.backoffice.gaming_days.messages import held_label, obstacle_message
from casino.backoffice.security.confirmation import confirmation_context, require_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.views import show
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_empty_days import empty_days, sign_empty_days
from payouts.gaming_days.exceptions import DayNotCloseable
from rounds.formatting import count


class _EmptyDaysForm(ClosingForm):
    """The days and held rounds that the user reviewed."""

    first = forms.DateField()
    last = forms.DateField()


def confirm_closing_empty_days(request: HttpRequest) -> HttpResponse:
    """Show the days and the effect of closing; POST closes them."""
    if request.method == "POST":
        _close(request)
        return redirect("days")
    empty = empty_days(at=timezone.now())
    if empty is None:
        return redirect("days")
    context = {
        "title": close_empty_days_label(len(empty.days)),
        "parent": {"title": _("Days"), "address": reverse("days")},
        "empty_days": empty,
        "following": empty.last + timedelta(days=1),
        "held": empty.held,
        "held_label": held_label(empty.held),
        **confirmation_context(request),
    }
    return show(request, "backoffice/gaming_days/close_empty_days.html", context)


def close_empty_days_label(number: int) -> str:
    """The title of the page, and the text of links to it."""
    text = ngettext(
        "Close %(number)s day without bookings", "Close %(number)s days without bookings", number
    )
    return text % {"number": count(number)}


def _close(request: HttpRequest) -> None:
    """Close the days as submitted, or show why they cannot be closed."""
    with show_errors(request, DayNotCloseable, message=_why_not):
        data = cleaned_data_of(_EmptyDaysForm(request.POST))
        require_confirmed(request, data["code"])
        closed = sign_empty_days(
            first=data["first"],
            last=data["last"],
            at=decided_at(request),
            actor=signing_actor(request),
            acknowledged=Amount(data["held_rounds"], data["held_cents"]),
        )
        text = ngettext(
            "%(number)s gaming day closed.", "%(number)s gaming days closed.", len(closed)
        )
        messages.success(request, text % {"number": count(len(closed))})


def _why_not(error: DayNotCloseable) -> str:
    """Why no day was closed."""
    obstacle = obstacle_message(error)
    return " ".join([_("No gaming day was closed."), f"{obstacle.title}: {obstacle.text}"])

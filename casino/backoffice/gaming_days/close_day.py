"""The confirmation page for closing a gaming day."""

from datetime import date, timedelta
from functools import partial

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.backoffice.gaming_days.days import day_of, obstacle_of
from casino.backoffice.gaming_days.messages import held_label, obstacle_message
from casino.backoffice.security.confirmation import confirmation_context, require_confirmed
from casino.backoffice.signatures.signing import decided_at, signing_actor
from casino.backoffice.site.actions import cleaned_data_of, show_errors
from casino.backoffice.site.views import show
from payouts.gaming_days.amount import Amount
from payouts.gaming_days.close_day import close_day
from payouts.gaming_days.exceptions import DayNotCloseable
from payouts.gaming_days.figures import figures_of, sum_tiles, summed
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.pending_items import pending_items
from rounds.formatting import long_day


class ClosingForm(forms.Form):
    """The items that the user reviewed."""

    held_rounds = forms.IntegerField(min_value=0)
    held_cents = forms.IntegerField(min_value=0)
    acknowledged = forms.BooleanField(
        error_messages={
            "required": gettext_lazy("Confirm that you have reviewed the items that are not final.")
        }
    )
    code = forms.CharField(required=False, max_length=40)


def confirm_closing(request: HttpRequest, day: str) -> HttpResponse:
    """Show the effect of closing; POST closes the day."""
    parsed_day = day_of(day)
    if request.method == "POST":
        _close(request, parsed_day)
        return redirect(
            "day" if DayClosing.objects.filter(day=parsed_day).exists() else "close_day", day
        )
    if obstacle_of(parsed_day, timezone.now()) is not None:
        return redirect("day", day)
    open_items = pending_items(parsed_day)
    context = {
        "title": _("Close %(day)s") % {"day": long_day(parsed_day)},
        "parent": {"title": long_day(parsed_day), "address": reverse("day", args=[day])},
        "day": parsed_day,
        "tiles": sum_tiles(summed(figures_of([parsed_day], {})[parsed_day])),
        "not_final": open_items,
        "following": parsed_day + timedelta(days=1),
        "held": open_items.all_held,
        "held_label": held_label(open_items.all_held),
        **confirmation_context(request),
    }
    return show(request, "backoffice/gaming_days/close.html", context)


def _close(request: HttpRequest, day: date) -> None:
    """Close the day as submitted, or show why it cannot be closed."""
    with show_errors(request, DayNotCloseable, message=partial(_why_not, day)):
        data = cleaned_data_of(ClosingForm(request.POST))
        require_confirmed(request, data["code"])
        held = Amount(data["held_rounds"], data["held_cents"])
        at, actor = decided_at(request), signing_actor(request)
        close_day(day=day, at=at, actor=actor, acknowledged=held)
        messages.success(request, _("Gaming day closed. Late rounds are booked to an open day."))


def _why_not(day: date, error: DayNotCloseable) -> str:
    """Why the day was not closed."""
    failed = _("The gaming day was not closed.")
    closing = DayClosing.objects.filter(day=day).first()
    if closing is not None:
        already = _("Already closed by %(who)s.") % {"who": closing.actor}
        return f"{failed} {already}"
    obstacle = obstacle_message(error)
    return f"{failed} {obstacle.title}: {obstacle.text}"

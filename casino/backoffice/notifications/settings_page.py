"""How a person wants notifications: channels by kind, and quiet hours."""

from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.site.views import show
from compliance.notifications.choose import (
    Channels,
    Quiet,
    channels_of,
    choose_notifications,
    quiet_hours_of,
)
from compliance.notifications.kinds import NotificationKind, kinds_concerning

_TIME: Final = forms.TimeInput({"type": "time"}, "%H:%M")


class QuietHoursForm(forms.Form):
    """The quiet hours of a person."""

    begins_at = forms.TimeField(label=gettext_lazy("From"), required=False, widget=_TIME)
    ends_at = forms.TimeField(label=gettext_lazy("To"), required=False, widget=_TIME)
    lets_alarms_through = forms.BooleanField(
        label=gettext_lazy("Send alarms during these hours as well"), required=False
    )

    def clean(self) -> dict[str, Any]:
        """Both times, or none."""
        data = super().clean() or {}
        if (data.get("begins_at") is None) != (data.get("ends_at") is None) and not self.errors:
            missing = "begins_at" if data.get("begins_at") is None else "ends_at"
            self.add_error(missing, _("Enter both times, or none."))
        return data

    @property
    def quiet(self) -> Quiet | None:
        """The valid hours; None for none."""
        data = self.cleaned_data
        if data["begins_at"] is None:
            return None
        return Quiet(data["begins_at"], data["ends_at"], data["lets_alarms_through"])


def show_settings(request: HttpRequest) -> HttpResponse:
    """The form, and what it sends."""
    person = request_user(request)
    kinds = kinds_concerning(person)
    chosen = channels_of(person, kinds)
    if request.method == "POST":
        form = QuietHoursForm(request.POST)
        chosen = {kind.name: _channels_in(request, kind, chosen[kind.name]) for kind in kinds}
        if form.is_valid():
            choose_notifications(
                person=person, channels=chosen, quiet=form.quiet, at=timezone.now()
            )
            messages.success(request, _("Notification settings saved."))
            return redirect("notification_settings")
    else:
        form = QuietHoursForm(initial=_initial(quiet_hours_of(person)))
    context = {
        "title": _("Notification settings"),
        "form": form,
        "kinds": [(kind, chosen[kind.name]) for kind in kinds],
        "chat": settings.CHAT_CHANNEL,
        "email": person.email,
        "hours": settings.ESCALATION_HOURS,
    }
    return show(request, "backoffice/notifications/settings.html", context)


def _channels_in(request: HttpRequest, kind: NotificationKind, before: Channels) -> Channels:
    """What the form chooses; the chat stays as it was where there is none to choose."""
    in_chat = f"chat-{kind.name}" in request.POST if settings.CHAT_CHANNEL else before.in_chat
    return Channels(f"mail-{kind.name}" in request.POST, in_chat)


def _initial(quiet: Quiet | None) -> dict[str, Any]:
    return {"lets_alarms_through": True} if quiet is None else quiet._asdict()

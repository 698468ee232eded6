"""The list of a person's own notifications."""

from typing import Any, Final

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from casino.access.current_user import request_user
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, field_filter, time_filters
from casino.backoffice.lists.list_page import ListSpec, show_list
from compliance.notifications.inbox import mark_read, notifications_of, unread_of
from compliance.notifications.kinds import kind_label, notification_kinds
from compliance.notifications.models import Notification

_MOST_DIGITS: Final = 18


class NotificationRow:
    """A notification as the list shows it."""

    def __init__(self, row: Notification) -> None:
        self.row = row

    @property
    def label(self) -> str:
        """Its kind, in the active language."""
        return kind_label(self.row.kind)

    @property
    def subject(self) -> str:
        """What it is about. Names of conditions are translated, those of things stay."""
        return _(self.row.subject) if self.row.subject else ""

    @property
    def state(self) -> str:
        """The name of its state."""
        if self.row.resolved_at is not None:
            return "done"
        return "unread" if self.row.read_at is None else "read"

    @property
    def state_label(self) -> str:
        """Its state, in the active language."""
        return str(dict(_STATES)[self.state])


_STATES: Final = (
    ("unread", gettext_lazy("Unread")),
    ("read", gettext_lazy("Read")),
    ("done", pgettext_lazy("notification", "Done")),
)


def _kinds() -> list[tuple[str, Any]]:
    return [(kind.name, kind.label) for kind in notification_kinds().values()]


def _in_state(rows: QuerySet[Any], state: str) -> QuerySet[Any]:
    matching = {
        "unread": Q(read_at=None, resolved_at=None),
        "read": Q(read_at__isnull=False, resolved_at=None),
        "done": Q(resolved_at__isnull=False),
    }
    return rows.filter(matching[state])


LIST: Final = ListSpec(
    name="notifications",
    live="inbox",
    filters=(
        field_filter("kind", gettext_lazy("Kind"), _kinds),
        choice_filter("state", gettext_lazy("Status"), _STATES, _in_state),
        *time_filters("created_at"),
    ),
    columns=(
        Column("what", gettext_lazy("Notification"), lambda line: line.label),
        Column("subject", gettext_lazy("Subject"), lambda line: line.subject),
        Column("status", gettext_lazy("Status"), lambda line: line.state_label),
        Column("when", gettext_lazy("When"), lambda line: line.row.created_at, Kind.MOMENT, "pk"),
    ),
)


def show_inbox(request: HttpRequest) -> HttpResponse:
    """The user's notifications, newest first."""
    person = request_user(request)
    context = {
        "title": _("Notifications"),
        "unread": unread_of(person).count(),
        "newest": notifications_of(person).order_by("-pk").values_list("pk", flat=True).first(),
    }
    rows, template = notifications_of(person), "backoffice/notifications/inbox.html"
    return show_list(request, LIST, rows, template, context, lines_of=_lines)


def open_notification(request: HttpRequest, pk: int) -> HttpResponse:
    """Marks one of the user's notifications as read, and leads to what it is about."""
    person = request_user(request)
    notification = get_object_or_404(notifications_of(person), pk=pk)
    mark_read(notifications_of(person).filter(pk=pk), person=person, at=timezone.now())
    address = notification.address
    is_ours = url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return redirect(address if is_ours else "inbox")


def mark_notifications_read(request: HttpRequest) -> HttpResponse:
    """Marks the user's notifications as read, up to the newest one shown."""
    newest = request.POST.get("newest", "")
    if newest.isascii() and newest.isdigit() and len(newest) <= _MOST_DIGITS:
        person = request_user(request)
        shown = notifications_of(person).filter(pk__lte=int(newest))
        number = mark_read(shown, person=person, at=timezone.now())
        done = ngettext(
            "%(number)s notification marked as read.",
            "%(number)s notifications marked as read.",
            number,
        )
        messages.success(request, done % {"number": number})
    return redirect("inbox")


def _lines(rows: list[Notification]) -> list[NotificationRow]:
    return [NotificationRow(row) for row in rows]

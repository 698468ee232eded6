"""The number of unread notifications, on every page."""

from typing import NamedTuple

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.access.current_user import request_user
from compliance.notifications.inbox import unread_of


class UnreadBadge(NamedTuple):
    """The number beside the bell, and the bell's name for screen readers."""

    number: int
    text: str
    label: str


def unread_badge_of(person: User) -> UnreadBadge:
    """The bell of a person: plain digits up to 99, then with separators, always exact."""
    number = unread_of(person).count()
    text = number_format(number, force_grouping=True)
    label = ngettext("%(number)s unread notification", "%(number)s unread notifications", number)
    return UnreadBadge(number, text, label % {"number": text} if number else _("Notifications"))


def show_unread(request: HttpRequest) -> HttpResponse:
    """The bell as JSON, which a page asks for when it was told of a change."""
    return JsonResponse({"unread": unread_badge_of(request_user(request))._asdict()})

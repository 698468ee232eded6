"""Notices about access changes, shown on *Today* until they are acknowledged."""

from typing import Any, Final

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from casino.access.current_user import request_user
from casino.access.directory.memberships import wanted_roles
from casino.access.models import AccessRequest
from casino.access.notices import unread_notices
from compliance.trail.action_labels import action_label
from compliance.trail.people import name_of

_MOST_SHOWN: Final = 20
_LONGEST_NUMBER: Final = 18  # digits


def acknowledge(request: HttpRequest) -> HttpResponse:
    """Mark the user's notices as read, up to the newest one shown."""
    newest = request.POST.get("newest", "")
    if newest.isascii() and newest.isdigit() and len(newest) <= _LONGEST_NUMBER:
        notices = unread_notices(request_user(request)).filter(pk__lte=int(newest))
        notices.update(acknowledged_at=timezone.now())
    return redirect("admin:index")


def notices_context(request: HttpRequest) -> dict[str, Any]:
    """The user's unread notices, and the number of access requests to decide."""
    person = request_user(request)
    context: dict[str, Any] = {
        "notices": [
            (action_label(notice.action), name_of(notice.about), notice)
            for notice in unread_notices(person)[:_MOST_SHOWN]
        ]
    }
    if request.user.has_perm("casino.decide_access"):
        pending = AccessRequest.objects.filter(decision=None)
        own = Q(requested_by=person) | Q(person=person)
        context["access_requests"] = pending.exclude(own).count()
    if request.user.has_perm("casino.request_access"):
        requested = AccessRequest.objects.filter(decision=None).values_list("person_id", flat=True)
        people = {wanted.person.pk for wanted in wanted_roles()} - set(requested)
        context["asked_by_directory"] = len(people)
    return context

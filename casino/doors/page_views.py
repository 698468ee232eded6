"""Every page that an auditor looks at is on record, and every file that he takes with him."""

from collections.abc import Callable
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from casino.doors.address import address_of
from casino.roles import AUDITOR
from compliance.trail.record import Entry, record_entries
from payouts.stuck.people import actor_of

_OK: Final = 200


class RecordedPageViews:
    """Records, before it is sent, each page or file that an auditor asked for and gets.

    A page whose record cannot be written is not shown.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer as it is, after its record."""
        response = self._get_response(request)
        if request.method == "GET" and _is_page(response):
            person = request.user
            if isinstance(person, User) and person.groups.filter(name=AUDITOR).exists():
                _record(request, person)
        return response


def _is_page(response: HttpResponseBase) -> bool:
    kind = response.headers.get("Content-Type", "")
    is_shown = kind.startswith("text/html") or "Content-Disposition" in response.headers
    return response.status_code == _OK and is_shown


def _record(request: HttpRequest, person: User) -> None:
    details = {"path": request.get_full_path(), "address": address_of(request)}
    viewed = Entry("PAGE_VIEWED", f"user:{person.pk}", details)
    with transaction.atomic():
        record_entries([viewed], at=timezone.now(), actor=actor_of(person))

"""Audit records of the pages that auditors view and the files that they download."""

from collections.abc import Callable
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from casino.access.client_address import address_of
from casino.access.roles import AUDITOR
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entries

_OK: Final = 200


class PageViewMiddleware:
    """Records each page or file before it is sent to an auditor.

    A page whose record cannot be written is not sent.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Returns the response, after its record is written."""
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
    path = request.get_full_path()
    match = request.resolver_match
    if match is not None and "token" in match.kwargs:  # who reads the log must not get in by it
        path = path.replace(match.kwargs["token"], "…")
    details = {"path": path, "address": address_of(request)}
    viewed = Entry("PAGE_VIEWED", f"user:{person.pk}", details)
    with transaction.atomic():
        record_entries([viewed], at=timezone.now(), actor=actor_of(person))

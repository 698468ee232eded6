"""An auditor changes nothing, whatever a page would let him."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

from casino.roles import AUDITOR

_READ: Final = ("GET", "HEAD", "OPTIONS")
_HIS_OWN: Final = frozenset(
    {
        "admin:logout",
        "change_password",
        "confirm",
        "end_own_session",
        "enrol_passkey",
        "enrol_phone",
        "new_recovery_codes",
        "password_step",
        "remove_factor",
        "second_step",
        "set_language",
    }
)
_ALLOWED: Final = _HIS_OWN | {"reconcile_now"}
"""What an auditor may send: about himself, and the question whether the books agree."""


class AuditorsOnlyRead:
    """Refuses what is sent by whoever is an auditor and nothing else, but for the list above."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer as it is."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:  # noqa: ANN401  Django's signature
        """Refuses before the page is asked."""
        if request.method in _READ or not isinstance(request.user, User):
            return
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name not in _ALLOWED and _only_reads(request.user):
            raise PermissionDenied


def _only_reads(person: User) -> bool:
    return set(person.groups.values_list("name", flat=True)) == {AUDITOR}

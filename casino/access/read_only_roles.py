"""Read-only access of auditors, enforced before any view runs."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

from casino.access.roles import AUDITOR

_READ: Final = ("GET", "HEAD", "OPTIONS")
_OWN_ACCOUNT: Final = frozenset(
    {
        "acknowledge_notices",
        "admin:logout",
        "begin_connection",
        "begin_single_sign_on",
        "change_password",
        "change_tour",
        "confirm",
        "disconnect_single_sign_on",
        "end_own_session",
        "enrol_passkey",
        "enrol_phone",
        "mark_notifications_read",
        "new_recovery_codes",
        "notification_settings",
        "open_notification",
        "password_step",
        "receive_assertion",
        "remove_factor",
        "second_step",
        "set_language",
    }
)
_ALLOWED: Final = _OWN_ACCOUNT | {"archive", "reconcile_now"}
"""URL names that an auditor may post to: the auditor's own account, reconciliation, and queries on
the archive, which change nothing and are recorded."""


class ReadOnlyAuditorMiddleware:
    """Rejects requests that change data, from users whose only role is auditor."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Returns the response."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Raises PermissionDenied before the view runs."""
        if request.method in _READ or not isinstance(request.user, User):
            return
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name not in _ALLOWED and _only_reads(request.user):
            raise PermissionDenied


def _only_reads(person: User) -> bool:
    return set(person.groups.values_list("name", flat=True)) == {AUDITOR}

"""Redirects accounts that lack a required factor or password."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from casino.access.account_status import status_of
from casino.access.single_sign_on.requirement import must_connect
from casino.backoffice.site.views import show

_ALWAYS: Final = frozenset(
    {
        "admin:jsi18n",
        "admin:logout",
        "change_password",
        "password_step",
        "session_status",
        "set_language",
    }
)
_NEW_PASSWORD: Final = _ALWAYS | {"confirm"}  # the page asks for the second factor first
_ENROLMENT: Final = _ALWAYS | {"enrol_passkey", "enrol_phone", "new_recovery_codes", "security"}
_CONNECTION: Final = _ENROLMENT | {
    *("begin_connection", "confirm", "finish_single_sign_on", "receive_assertion"),
}


class RequiredSetup:
    """Enforce new passwords and second factors, and explain the decision delay."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The response; pages can read ``request.account_status``."""
        person = request.user
        if isinstance(person, User):
            status = SimpleLazyObject(lambda: status_of(person))
            request.account_status = status  # type: ignore[attr-defined]  # read by templates
        return self._get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        *_view: Any,
    ) -> HttpResponseBase | None:
        """Redirect every request to the required step."""
        if not isinstance(request.user, User):
            return None
        status = status_of(request.user)
        name = request.resolver_match.view_name if request.resolver_match else ""
        if status.must_change_password:
            return None if name in _NEW_PASSWORD else redirect("change_password")
        if status.must_enrol:
            return None if name in _ENROLMENT else redirect("security")
        if must_connect(request.user):
            return None if name in _CONNECTION else redirect("security")
        return None

    def process_exception(
        self, request: HttpRequest, exception: Exception
    ) -> HttpResponseBase | None:
        """The message about the decision delay, if it caused the error."""
        if not isinstance(exception, PermissionDenied) or not isinstance(request.user, User):
            return None
        decides_from = status_of(request.user).decides_from
        if decides_from is None:
            return None
        context = {"title": _("Not yet"), "decides_from": decides_from}
        page: HttpResponse = show(request, "backoffice/people/decision_delay.html", context)
        page.status_code = HTTPStatus.FORBIDDEN
        return page

"""The login form, with a message for locked accounts."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from axes.helpers import get_client_username
from django.forms import ValidationError
from django.http import HttpRequest, HttpResponse
from unfold.forms import AuthenticationForm

from casino.access.lockout_by_address import lockout_message


class LoginForm(AuthenticationForm):  # type: ignore[misc]  # django-unfold ships no types
    """Django's form, with an error for locked accounts."""

    def get_invalid_login_error(self) -> ValidationError:
        """The time until which the account is locked, also for the right password."""
        if not getattr(self.request, "axes_locked_out", False):
            error: ValidationError = super().get_invalid_login_error()
            return error
        account = get_client_username(self.request, self.request.axes_credentials)
        return ValidationError(lockout_message(self.request, account), code="locked_out")


def locked_response(
    request: HttpRequest,
    page: HttpResponse,
    credentials: Mapping[str, Any],
) -> HttpResponse:
    """The login page of a locked account, with the status 429."""
    if page.status_code == HTTPStatus.OK:
        page.status_code = HTTPStatus.TOO_MANY_REQUESTS
    return page

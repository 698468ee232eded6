"""The login page, which says so when an account is locked."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from axes.helpers import get_client_username
from django.forms import ValidationError
from django.http import HttpRequest, HttpResponse
from unfold.forms import AuthenticationForm

from payouts.pages.lockout import locked_words


class LoginForm(AuthenticationForm):  # type: ignore[misc]  # django-unfold ships no types
    """The site's own, with one answer more."""

    def get_invalid_login_error(self) -> ValidationError:
        """Until when nobody gets in, where that is so, whatever the password was."""
        if not getattr(self.request, "axes_locked_out", False):
            error: ValidationError = super().get_invalid_login_error()
            return error
        account = get_client_username(self.request, self.request.axes_credentials)
        return ValidationError(locked_words(self.request, account), code="locked_out")


def say_locked(
    request: HttpRequest,  # noqa: ARG001  django-axes gives it
    page: HttpResponse,
    credentials: Mapping[str, Any],  # noqa: ARG001  django-axes gives them
) -> HttpResponse:
    """The page as it is, which says it in words, with the status that programs read."""
    if page.status_code == HTTPStatus.OK:
        page.status_code = HTTPStatus.TOO_MANY_REQUESTS
    return page

"""The login page, which says so when an account is locked."""

from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

from axes.helpers import get_client_username, get_cool_off
from axes.models import AccessAttempt
from django.forms import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from unfold.forms import AuthenticationForm

from payouts.templatetags.sabot import moment


class LoginForm(AuthenticationForm):  # type: ignore[misc]  # django-unfold ships no types
    """The site's own, with one answer more."""

    def get_invalid_login_error(self) -> ValidationError:
        """Until when nobody gets in, where that is so, whatever the password was."""
        if not getattr(self.request, "axes_locked_out", False):
            error: ValidationError = super().get_invalid_login_error()
            return error
        message = _("Too many failed logins: this account is locked from here until %(moment)s.")
        until = moment(_locked_until(self.request), "s")
        return ValidationError(message, code="locked_out", params={"moment": until})


def say_locked(
    request: HttpRequest,  # noqa: ARG001  django-axes gives it
    page: HttpResponse,
    credentials: Mapping[str, Any],  # noqa: ARG001  django-axes gives them
) -> HttpResponse:
    """The login page as it is, which says it in words, with the status that programs read."""
    page.status_code = HTTPStatus.TOO_MANY_REQUESTS
    return page


def _locked_until(request: Any) -> datetime:  # noqa: ANN401  with what django-axes adds
    name = get_client_username(request, request.axes_credentials)
    counted = AccessAttempt.objects.filter(username=name, ip_address=request.axes_ip_address)
    last: datetime | None = counted.values_list("attempt_time", flat=True).first()
    until: datetime = (last or request.axes_attempt_time) + get_cool_off(request)
    return until

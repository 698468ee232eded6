"""The login form, with a message for locked accounts."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from axes.helpers import get_client_username
from django.conf import settings
from django.contrib.auth.models import User
from django.forms import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from unfold.forms import AuthenticationForm

from casino.access.account_status import status_of
from casino.access.lockout_by_address import lockout_message
from casino.access.passwords.turns import PasswordsBusy
from casino.access.single_sign_on.requirement import logs_in_elsewhere
from rounds.formatting import moment

BUSY: Final = "busy"
"""The code of the error while another login is being verified."""


class LoginForm(AuthenticationForm):  # type: ignore[misc]  # django-unfold ships no types
    """Django's form, with errors for locked accounts, expired passwords and a flood of logins."""

    def clean(self) -> Any:
        """The password is verified in turn."""
        try:
            return super().clean()
        except PasswordsBusy:
            message = _("Many people are logging in at the moment. Try again in a few seconds.")
            raise ValidationError(message, code=BUSY) from None

    def get_invalid_login_error(self) -> ValidationError:
        """The time until which the account is locked, also for the right password."""
        if not getattr(self.request, "axes_locked_out", False):
            error: ValidationError = super().get_invalid_login_error()
            return error
        account = get_client_username(self.request, self.request.axes_credentials)
        return ValidationError(lockout_message(self.request, account), code="locked_out")

    def confirm_login_allowed(self, user: User) -> None:
        """Refuse a one-time password that was not replaced in time, and what SSO_REQUIRED does."""
        super().confirm_login_allowed(user)
        expires_at = status_of(user).password_expires_at
        if expires_at is not None and expires_at <= timezone.now():
            message = _(
                "This one-time password expired on %(moment)s. Ask an administrator for a new one."
            )
            raise ValidationError(message % {"moment": moment(expires_at, "s")}, code="expired")
        provider = settings.SINGLE_SIGN_ON
        if provider is not None and logs_in_elsewhere(user):
            message = _("This account logs in with %(provider)s, not with a password.")
            raise ValidationError(message % {"provider": provider.name}, code="single_sign_on")


def locked_response(
    request: HttpRequest,
    page: HttpResponse,
    credentials: Mapping[str, Any],
) -> HttpResponse:
    """The login page of a locked account, with the status 429."""
    if page.status_code == HTTPStatus.OK:
        page.status_code = HTTPStatus.TOO_MANY_REQUESTS
    return page

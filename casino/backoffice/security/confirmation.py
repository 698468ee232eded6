"""Confirmation of the user's identity by a second factor before decisions about money."""

from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from casino.access.audit import record_access
from casino.access.current_user import request_user
from casino.access.lockout_by_address import is_locked, lockout_message
from casino.access.passkeys import authentication_options
from casino.access.second_factor import (
    has_factor,
    has_passkey,
    verify_code,
    verify_passkey,
)
from casino.backoffice.site.views import show

_CONFIRMED_AT: Final = "confirmed_at"


class NotConfirmed(Exception):
    """The session is not confirmed; the message states why."""


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the session was confirmed by a second factor within the last minutes."""
    confirmed_at = request.session.get(_CONFIRMED_AT)
    if confirmed_at is None:
        return False
    age = timezone.now().timestamp() - confirmed_at
    return bool(0 <= age < settings.CONFIRMED_FOR.total_seconds())


def confirmation_context(request: HttpRequest) -> dict[str, bool]:
    """Context of a form: whether the session is confirmed, and whether the user has a factor."""
    return {"confirmed": is_confirmed(request), "has_factor": has_factor(request_user(request))}


def confirm_first(request: HttpRequest, *, back_to: str) -> HttpResponse:
    """Redirect to the confirmation page, and back."""
    return redirect(f"{reverse('confirm')}?{urlencode({'next': back_to})}")


def confirm_with_code(request: HttpRequest, code: str) -> bool:
    """Whether the code is correct; confirms the session. A wrong code counts as a failed login."""
    is_valid = verify_code(request, request_user(request), code)
    if is_valid:
        _confirm(request, "code")
    return is_valid


def require_confirmed(request: HttpRequest, code: str) -> None:
    """Require a confirmed session or a correct code. Raises NotConfirmed."""
    if not is_confirmed(request) and not (code and confirm_with_code(request, code)):
        if not code:
            raise NotConfirmed(_("Enter the six-digit code from your phone."))
        raise NotConfirmed(rejected_factor_message(request, request_user(request)))


def rejected_factor_message(request: HttpRequest, person: User) -> str:
    """Why the submitted factor was not accepted."""
    account = person.get_username()
    if is_locked(request, account):
        return lockout_message(request, account)
    return _(
        "The code is incorrect or was already used. Your phone shows a new code every 30 seconds."
    )


def mark_confirmed(request: HttpRequest) -> None:
    """Mark the session as confirmed, for example after a login. It gets a new key."""
    request.session.cycle_key()
    request.session[_CONFIRMED_AT] = timezone.now().timestamp()


def show_confirm(request: HttpRequest) -> HttpResponse:
    """Ask for a code or a passkey, then return to the page before."""
    back_to = local_address(request.POST.get("next") or request.GET.get("next", ""))
    person = request_user(request)
    if request.method == "POST" and (factor := verified_factor(request, person)):
        _confirm(request, factor)
        return redirect(back_to)
    context = {
        "title": _("Confirm your identity"),
        "next": back_to,
        "minutes": int(settings.CONFIRMED_FOR.total_seconds() // 60),
        "has_factor": has_factor(person),
        "error": rejected_factor_message(request, person) if request.method == "POST" else "",
        "passkey": authentication_options(request, person) if has_passkey(person) else "",
    }
    return show(request, "backoffice/security/confirm.html", context)


def local_address(address: str) -> str:
    """The address if it belongs to this site, else the first page."""
    if address and url_has_allowed_host_and_scheme(address, allowed_hosts=None):
        return address
    return reverse("admin:index")


def verified_factor(request: HttpRequest, person: User) -> str | None:
    """The submitted factor, if it is valid: ``code`` or ``passkey``; else None."""
    answer = request.POST.get("credential", "")
    if answer:
        return "passkey" if verify_passkey(request, person, answer) else None
    return "code" if verify_code(request, person, request.POST.get("code", "")) else None


def _confirm(request: HttpRequest, factor: str) -> None:
    mark_confirmed(request)
    record_access(request, "IDENTITY_CONFIRMED", request_user(request), {"factor": factor})

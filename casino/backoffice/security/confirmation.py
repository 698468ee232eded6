"""Confirmation of the user's identity by a second factor before decisions about money.

Changes of how a person logs in take both factors, the password as well: as a login does.
"""

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
from casino.access.lockout_by_address import is_locked, knows_password, lockout_message
from casino.access.passkeys import authentication_options
from casino.access.second_factor import (
    has_passkey,
    verify_code,
    verify_passkey,
)
from casino.backoffice.site.views import show

_CONFIRMED_AT: Final = "confirmed_at"
_BY_BOTH_AT: Final = "confirmed_by_both_at"


class NotConfirmed(Exception):
    """The session is not confirmed; the message states why."""


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the session was confirmed by a second factor within the last minutes."""
    return _is_recent(request.session.get(_CONFIRMED_AT))


def is_confirmed_by_both(request: HttpRequest) -> bool:
    """Whether password and second factor were given within the last minutes, as at a login."""
    return _is_recent(request.session.get(_BY_BOTH_AT))


def _is_recent(confirmed_at: float | None) -> bool:
    if confirmed_at is None:
        return False
    age = timezone.now().timestamp() - confirmed_at
    return bool(0 <= age < settings.CONFIRMED_FOR.total_seconds())


def confirmation_context(request: HttpRequest) -> dict[str, bool]:
    """Context of a form: whether the session is confirmed."""
    return {"confirmed": is_confirmed(request)}


def confirm_first(request: HttpRequest, *, back_to: str, by_both: bool = False) -> HttpResponse:
    """Redirect to the confirmation page, and back; ``by_both`` asks for the password as well."""
    query = {"next": back_to, **({"both": "1"} if by_both else {})}
    return redirect(f"{reverse('confirm')}?{urlencode(query)}")


def confirm_with_code(request: HttpRequest, code: str) -> bool:
    """Whether the code is correct; confirms the session. A wrong code counts as a failed login."""
    is_valid = verify_code(request, request_user(request), code)
    if is_valid:
        _confirm(request, "code", by_both=False)
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


def mark_confirmed(request: HttpRequest, *, by_both: bool) -> None:
    """Mark the session as confirmed, after a login by both factors. It gets a new key."""
    request.session.cycle_key()
    request.session[_CONFIRMED_AT] = now = timezone.now().timestamp()
    if by_both:
        request.session[_BY_BOTH_AT] = now


def show_confirm(request: HttpRequest) -> HttpResponse:
    """Ask for a code or a passkey, and for the password if told to; then return to the page before.

    An account without a password, which logs in elsewhere, is asked for the second factor only.
    """
    back_to = local_address(request.POST.get("next") or request.GET.get("next", ""))
    person = request_user(request)
    by_both = "both" in request.GET
    asks_password = by_both and person.has_usable_password()
    if request.method == "POST":
        password = request.POST.get("password", "")
        is_known = not asks_password or knows_password(request, person, password)
        if is_known and (factor := verified_factor(request, person)):
            _confirm(request, factor, by_both=by_both)
            return redirect(back_to)
    context = {
        "asks_password": asks_password,
        "title": _("Confirm your identity"),
        "next": back_to,
        "minutes": int(settings.CONFIRMED_FOR.total_seconds() // 60),
        "error": _rejected(request, person, asks_password=asks_password)
        if request.method == "POST"
        else "",
        "passkey": authentication_options(request, person) if has_passkey(person) else "",
    }
    return show(request, "backoffice/security/confirm.html", context)


def _rejected(request: HttpRequest, person: User, *, asks_password: bool) -> str:
    """Why it was not accepted. Which of both was wrong is not told."""
    if asks_password and not is_locked(request, person.get_username()):
        return _("The password or the code is incorrect, or the code was already used.")
    return rejected_factor_message(request, person)


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


def _confirm(request: HttpRequest, factor: str, *, by_both: bool) -> None:
    mark_confirmed(request, by_both=by_both)
    record_access(request, "IDENTITY_CONFIRMED", request_user(request), {"factor": factor})

"""The user's security page: factors and their changes."""

from collections.abc import Callable
from functools import partial
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.access.current_user import request_user
from casino.access.lockout_by_address import is_locked, lockout_message
from casino.access.passkeys import registration_options
from casino.access.second_factor import PASSKEY, PHONE, RECOVERY, has_factor
from casino.backoffice.people.sessions import own_lines
from casino.backoffice.security.confirmation import (
    confirm_first,
    is_confirmed_by_both,
    mark_confirmed,
)
from casino.backoffice.security.enrolment import (
    add_passkey,
    add_phone,
    is_trusted,
    make_recovery_codes,
    new_secret,
    offered_secret,
    picture_of,
    remove_factor,
)
from casino.backoffice.signatures.signing_keys import own_rows
from casino.backoffice.site.views import show


def show_security(request: HttpRequest) -> HttpResponse:
    """The user's factors, codes and sessions."""
    factors = list(_factors(request))
    recovery = next((factor for factor in factors if factor.type == RECOVERY), None)
    context = {
        "title": _("Security"),
        "phone": next((factor for factor in factors if factor.type == PHONE), None),
        "passkeys": [(factor, factor.wrap().name) for factor in factors if factor.type == PASSKEY],
        "has_factor": any(factor.type in {PHONE, PASSKEY} for factor in factors),
        "signing_keys": own_rows(request),
        "lines": own_lines(request),
        "codes_left": len(recovery.wrap().get_unused_codes()) if recovery else 0,
    }
    return show(request, "backoffice/security/security.html", context)


def enrol_phone(request: HttpRequest) -> HttpResponse:
    """A QR code for the phone, and the code that proves it was scanned."""
    person = request_user(request)
    if _must_confirm(request):
        return confirm_first(request, back_to=request.path, by_both=True)
    if _factors(request).filter(type=PHONE).exists():
        messages.info(
            request, _("A phone is already registered. Remove it before you add another one.")
        )
        return redirect("security")
    error = ""
    if request.method == "POST":
        add = partial(add_phone, request, person, request.POST.get("code", ""))
        error = _error_adding(
            request, add, _("The code does not match the one shown on the phone.")
        )
        if not error:
            return _enrolled(request, _("Phone added."))
    secret = offered_secret(request) if error else new_secret(request)
    fours = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
    context = {"picture": picture_of(person, secret), "secret": fours}
    return _ask(request, "phone", {**context, "title": _("Add a phone"), "error": error})


def enrol_passkey(request: HttpRequest) -> HttpResponse:
    """The page that creates a passkey."""
    person = request_user(request)
    if _must_confirm(request):
        return confirm_first(request, back_to=request.path, by_both=True)
    error = ""
    if request.method == "POST":
        name, answer = request.POST.get("name", "").strip(), request.POST.get("credential", "")
        add = partial(add_passkey, request, person, answer, name=name)
        error = _error_adding(request, add, _("The browser did not create a usable passkey."))
        if not error:
            return _enrolled(request, _("Passkey added."))
    context = {"question": registration_options(request, person)}
    return _ask(request, "passkey", {**context, "title": _("Add a passkey"), "error": error})


def new_recovery_codes(request: HttpRequest) -> HttpResponse:
    """Ten new recovery codes, shown once."""
    if _must_confirm(request) or not has_factor(request_user(request)):
        return confirm_first(request, back_to=reverse("security"), by_both=True)
    return _show_new_codes(request)


def remove(request: HttpRequest) -> HttpResponse:
    """Remove one of the user's phones or passkeys."""
    if _must_confirm(request):
        return confirm_first(request, back_to=reverse("security"), by_both=True)
    key = request.POST.get("factor", "")
    own = {str(factor.pk): factor for factor in _factors(request).exclude(type=RECOVERY)}
    if key in own:
        remove_factor(request, own[key])
        messages.success(request, _("Removed. It can no longer be used to confirm your identity."))
    else:
        messages.warning(request, _("Already removed."))
    return redirect("security")


def _factors(request: HttpRequest) -> "QuerySet[Authenticator]":
    own: QuerySet[Authenticator] = Authenticator.objects.filter(user=request_user(request))
    return own.order_by("pk")


def _must_confirm(request: HttpRequest) -> bool:
    return has_factor(request_user(request)) and not is_confirmed_by_both(request)


def _error_adding(request: HttpRequest, add: Callable[[], bool], message: str) -> str:
    """Why no factor was added, ``message`` if it was not accepted; empty on success."""
    person = request_user(request)
    if is_trusted(request, person):
        return "" if add() else message
    account = person.get_username()
    return (
        lockout_message(request, account)
        if is_locked(request, account)
        else _("Incorrect password.")
    )


def _ask(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    asks_password = not has_factor(request_user(request))
    shared = {"parent": _here(), "asks_password": asks_password}
    return show(request, f"backoffice/security/{template}.html", {**shared, **context})


def _enrolled(request: HttpRequest, message: str) -> HttpResponse:
    mark_confirmed(request, by_both=True)
    messages.success(request, message)
    if _factors(request).filter(type=RECOVERY).exists():
        return redirect("security")
    return _show_new_codes(request)


def _show_new_codes(request: HttpRequest) -> HttpResponse:
    context = {
        "title": _("Recovery codes"),
        "parent": _here(),
        "codes": make_recovery_codes(request, request_user(request)),
    }
    return show(request, "backoffice/security/codes.html", context)


def _here() -> dict[str, str]:
    return {"title": _("Security"), "address": reverse("security")}

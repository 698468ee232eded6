"""A person's own page: what proves that it is them, and how they change that."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.doors.enrolling import (
    add_passkey,
    add_phone,
    is_trusted,
    make_recovery_codes,
    new_secret,
    offer_passkey,
    offered_secret,
    picture_of,
    remove_factor,
)
from casino.doors.session_pages import own_lines
from payouts.pages.confirming import confirm_first, is_confirmed, local_address, mark_confirmed
from payouts.pages.lockout import is_locked, locked_words
from payouts.pages.own_pages import person_of, show
from payouts.pages.second_factor import PASSKEY, PHONE, RECOVERY, has_factor

_BACK_TO: Final = "enrolled_back_to"


def show_security(request: HttpRequest) -> HttpResponse:
    """What the person has, and what they may add."""
    if "next" in request.GET:
        request.session[_BACK_TO] = local_address(request.GET["next"])
    factors = list(_factors(request))
    recovery = next((one for one in factors if one.type == RECOVERY), None)
    context = {
        "title": _("Security"),
        "phone": next((one for one in factors if one.type == PHONE), None),
        "passkeys": [(one, one.wrap().name) for one in factors if one.type == PASSKEY],
        "has_factor": any(one.type in {PHONE, PASSKEY} for one in factors),
        "lines": own_lines(request),
        "codes_left": len(recovery.wrap().get_unused_codes()) if recovery else 0,
    }
    return show(request, "pages/security/security.html", context)


def enrol_phone(request: HttpRequest) -> HttpResponse:
    """A picture for the phone's camera, and the code that proves that it was seen."""
    person = person_of(request)
    if _must_confirm(request):
        return confirm_first(request, back_to=request.path)
    if _factors(request).filter(type=PHONE).exists():
        messages.info(request, _("One phone is known. Remove it first to add another."))
        return redirect("security")
    refusal = ""
    if request.method == "POST":
        add = partial(add_phone, request, person, request.POST.get("code", ""))
        refusal = _try(request, add, _("This is not the code that the phone shows now."))
        if not refusal:
            return _enrolled(request, _("Your phone is known now."))
    secret = offered_secret(request) if refusal else new_secret(request)
    fours = " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
    context = {"picture": picture_of(person, secret), "secret": fours}
    return _ask(request, "phone", {**context, "title": _("Add a phone"), "refusal": refusal})


def enrol_passkey(request: HttpRequest) -> HttpResponse:
    """A button that has the browser make a passkey."""
    person = person_of(request)
    if _must_confirm(request):
        return confirm_first(request, back_to=request.path)
    refusal = ""
    if request.method == "POST":
        name, answer = request.POST.get("name", "").strip(), request.POST.get("credential", "")
        add = partial(add_passkey, request, person, answer, name=name)
        refusal = _try(request, add, _("The browser made no passkey that can be used here."))
        if not refusal:
            return _enrolled(request, _("The passkey is known now."))
    context = {"question": offer_passkey(request, person)}
    return _ask(request, "passkey", {**context, "title": _("Add a passkey"), "refusal": refusal})


def new_recovery_codes(request: HttpRequest) -> HttpResponse:
    """Makes ten new codes and shows them, this once."""
    if _must_confirm(request) or not has_factor(person_of(request)):
        return confirm_first(request, back_to=reverse("security"))
    return _show_new_codes(request)


def remove(request: HttpRequest) -> HttpResponse:
    """Takes a phone or passkey of the person's own away."""
    if _must_confirm(request):
        return confirm_first(request, back_to=reverse("security"))
    key = request.POST.get("factor", "")
    own = {str(one.pk): one for one in _factors(request).exclude(type=RECOVERY)}
    if key in own:
        remove_factor(request, own[key])
        messages.success(request, _("It is removed and proves nothing any more."))
    else:
        messages.warning(request, _("It was removed before."))
    return redirect("security")


def _factors(request: HttpRequest) -> "QuerySet[Authenticator]":
    own: QuerySet[Authenticator] = Authenticator.objects.filter(user=person_of(request))
    return own.order_by("pk")


def _must_confirm(request: HttpRequest) -> bool:
    return has_factor(person_of(request)) and not is_confirmed(request)


def _try(request: HttpRequest, add: Callable[[], bool], wrong: str) -> str:
    """Why nothing was added; empty where it was."""
    person = person_of(request)
    if is_trusted(request, person):
        return "" if add() else wrong
    account = person.get_username()
    return locked_words(request, account) if is_locked(request, account) else _("Wrong password.")


def _ask(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    asks_password = not has_factor(person_of(request))
    shared = {"parent": _here(), "asks_password": asks_password}
    return show(request, f"pages/security/{template}.html", {**shared, **context})


def _enrolled(request: HttpRequest, words: str) -> HttpResponse:
    mark_confirmed(request)
    messages.success(request, words)
    if _factors(request).filter(type=RECOVERY).exists():
        return redirect(_way_back(request))
    return _show_new_codes(request)


def _show_new_codes(request: HttpRequest) -> HttpResponse:
    context = {
        "title": _("Recovery codes"),
        "parent": _here(),
        "codes": make_recovery_codes(request, person_of(request)),
        "back_to": _way_back(request),
    }
    return show(request, "pages/security/codes.html", context)


def _way_back(request: HttpRequest) -> str:
    address: str = request.session.pop(_BACK_TO, reverse("security"))
    return address


def _here() -> dict[str, str]:
    return {"title": _("Security"), "address": reverse("security")}

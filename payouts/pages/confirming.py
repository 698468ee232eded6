"""Who decides about money proves again who they are, with something that nobody else has."""

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

from payouts.pages.access_trail import record_access
from payouts.pages.lockout import is_locked, locked_words
from payouts.pages.own_pages import person_of, show
from payouts.pages.second_factor import (
    ask_for_passkey,
    has_factor,
    has_passkey,
    prove_by_code,
    prove_by_passkey,
)

_CONFIRMED_AT: Final = "confirmed_at"


class NotConfirmed(Exception):
    """Nobody has just proved that it is them; says what is missing."""


def is_confirmed(request: HttpRequest) -> bool:
    """Whether the person gave a second factor within the last minutes, in this session."""
    then = request.session.get(_CONFIRMED_AT)
    if then is None:
        return False
    age = timezone.now().timestamp() - then
    return bool(0 <= age < settings.CONFIRMED_FOR.total_seconds())


def confirm_first(request: HttpRequest, *, back_to: str) -> HttpResponse:  # noqa: ARG001  as views are called
    """To the page that asks for a second factor, and back from there."""
    return redirect(f"{reverse('confirm')}?{urlencode({'next': back_to})}")


def confirm_with_code(request: HttpRequest, code: str) -> bool:
    """Whether the code is right; then the session is confirmed. A wrong one is a failed login."""
    is_right = prove_by_code(request, person_of(request), code)
    if is_right:
        _confirm(request, "code")
    return is_right


def require_confirmed(request: HttpRequest, code: str) -> None:
    """Lets those pass who are confirmed, or by this code are now. Raises NotConfirmed."""
    if not is_confirmed(request) and not (code and confirm_with_code(request, code)):
        words = unconfirmed_words(request) if code else _("Give the six digits of your phone.")
        raise NotConfirmed(words)


def unconfirmed_words(request: HttpRequest) -> str:
    """Why the code that was just given confirmed nothing."""
    return unproved_words(request, person_of(request))


def unproved_words(request: HttpRequest, person: User) -> str:
    """Why what was just given does not prove that it is this person."""
    account = person.get_username()
    if is_locked(request, account):
        return locked_words(request, account)
    return _("This code is wrong, or was used before. A phone shows a new one every half minute.")


def mark_confirmed(request: HttpRequest) -> None:
    """The person has just given a second factor in another way, as in logging in."""
    request.session[_CONFIRMED_AT] = timezone.now().timestamp()


def show_confirm(request: HttpRequest) -> HttpResponse:
    """Asks for a code or a passkey, and goes on to where the person came from."""
    back_to = local_address(request.POST.get("next") or request.GET.get("next", ""))
    person = person_of(request)
    if request.method == "POST" and (factor := proved_by(request, person)):
        _confirm(request, factor)
        return redirect(back_to)
    context = {
        "title": _("Confirm that it is you"),
        "next": back_to,
        "minutes": int(settings.CONFIRMED_FOR.total_seconds() // 60),
        "has_factor": has_factor(person),
        "wrong": unconfirmed_words(request) if request.method == "POST" else "",
        "passkey": ask_for_passkey(request, person) if has_passkey(person) else "",
    }
    return show(request, "pages/security/confirm.html", context)


def local_address(address: str) -> str:
    """The address where it is one of this site, else the first page."""
    if address and url_has_allowed_host_and_scheme(address, allowed_hosts=None):
        return address
    return reverse("admin:index")


def proved_by(request: HttpRequest, person: User) -> str | None:
    """By what the posted form proves that it is this person; None where it does not."""
    answer = request.POST.get("credential", "")
    if answer:
        return "passkey" if prove_by_passkey(request, person, answer) else None
    return "code" if prove_by_code(request, person, request.POST.get("code", "")) else None


def _confirm(request: HttpRequest, factor: str) -> None:
    mark_confirmed(request)
    record_access(request, "IDENTITY_CONFIRMED", person_of(request), {"factor": factor})

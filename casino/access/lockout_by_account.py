"""Account lock: too many failed logins from all addresses, with an exception for known browsers.

The lock by account and address (django-axes) does not detect guesses from many addresses. This one
counts the failures of an account over a day, from all addresses. So that a stranger cannot lock
out the owner, a browser that has logged in to the account before (a signed cookie, OWASP's "device
cookie") has a small count of its own. An administrator can unlock the account.
"""

import hmac
from collections.abc import Callable
from datetime import datetime
from secrets import token_hex
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

from casino.access.models import LoginFailure

_SALT: Final = "sabot: browsers that an account knows"
_COOKIE_SECONDS: Final = 90 * 24 * 60 * 60


class KnownBrowserMiddleware:
    """Sets the device cookie of a browser that has just logged in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Returns the response, with the cookie after a login."""
        answer = self._get_response(request)
        person: User | None = getattr(request, "known_to", None)
        if person is not None:
            answer.set_cookie(
                _cookie(person),
                signing.dumps([token_hex(16), person.get_session_auth_hash()], salt=_SALT),
                max_age=_COOKIE_SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Strict",
            )
        return answer


def remember_browser(request: HttpRequest, person: User) -> None:
    """Makes the response set the device cookie of a person who has just logged in."""
    request.known_to = person  # type: ignore[attr-defined]  # read by KnownBrowserMiddleware


def count_failure(request: HttpRequest, account: str, *, origin: str, at: datetime) -> int:
    """Counts a failure of an account; returns the number from all addresses."""
    LoginFailure.objects.filter(at__lte=at - settings.ACCOUNT_LOCKOUT_TIME).delete()
    browser = known_browser(request, account) or ""
    LoginFailure.objects.create(account=_digest(account), origin=origin, browser=browser, at=at)
    return _failures(account, at=at).count()


def account_locked_until(request: HttpRequest, account: str, *, at: datetime) -> datetime | None:
    """The end of the account's lock for this browser; None if the account is not locked."""
    most = settings.ACCOUNT_FAILURE_LIMIT
    counted = _failures(account, at=at)
    first = counted.order_by("-at").values_list("at", flat=True)[most - 1 : most].first()
    if first is None or _is_trusted(request, account, counted, at=at):
        return None
    until: datetime = first + settings.ACCOUNT_LOCKOUT_TIME
    return until


def failures_of(account: str) -> int:
    """The number of failures of an account, from all addresses."""
    return LoginFailure.objects.filter(account=_digest(account)).count()


def forget_failures(account: str, *, origin: str | None = None) -> int:
    """Deletes the failures of an account, all or from one origin; returns how many."""
    counted = LoginFailure.objects.filter(account=_digest(account))
    deleted, _models = (counted if origin is None else counted.filter(origin=origin)).delete()
    return deleted


def _is_trusted(
    request: HttpRequest, account: str, counted: QuerySet[LoginFailure], *, at: datetime
) -> bool:
    """Whether the browser is known to the account and below the limit of its own count."""
    browser = known_browser(request, account)
    if browser is None:
        return False
    recent = counted.filter(browser=browser, at__gt=at - settings.AXES_COOLOFF_TIME)
    return recent.count() < int(settings.AXES_FAILURE_LIMIT)


def known_browser(request: HttpRequest, account: str) -> str | None:
    """The browser's name if the account knows it. A new password makes all browsers unknown."""
    person = User.objects.filter(username=account).first()
    if person is None:
        return None
    try:
        cookie = request.COOKIES.get(_cookie(person), "")
        name, password = signing.loads(cookie, salt=_SALT, max_age=_COOKIE_SECONDS)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    is_same = hmac.compare_digest(str(password), person.get_session_auth_hash())
    return str(name) if is_same else None


def _failures(account: str, *, at: datetime) -> QuerySet[LoginFailure]:
    counted = LoginFailure.objects.filter(account=_digest(account))
    return counted.filter(at__gt=at - settings.ACCOUNT_LOCKOUT_TIME)


def _digest(account: str) -> str:
    """A digest of the name, because an unknown name may be a password in the wrong field."""
    return salted_hmac(_SALT, account, algorithm="sha256").hexdigest()


def _cookie(person: User) -> str:
    return f"known_browser_{person.pk}"

"""Locks of an account for all addresses, and of an address for all accounts.

The lock by account and address (django-axes) detects neither guesses from many addresses nor one
password tried on many accounts. These count the failures of an account over a day, and those of an
address over an hour. So that a stranger cannot lock out the owner, a browser that has logged in to
the account before (a signed cookie, OWASP's "device cookie") has a small count of its own. An
administrator can unlock the account.
"""

import hmac
from collections.abc import Callable
from datetime import datetime
from secrets import token_hex
from typing import Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

from casino.access.models import LoginFailure
from compliance.storage.advisory_locks import lock_names

_SALT: Final = "sabot: browsers that an account knows"
_COOKIE_SECONDS: Final = 90 * 24 * 60 * 60
_MOST_ACCOUNTS: Final = 20
"""Of one browser; each costs a query."""


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


class Counts(NamedTuple):
    """How many failures are counted after another one."""

    of_account: int
    of_origin: int
    is_flood: bool
    """Whether so many accounts fail everywhere that names without an account are not recorded."""


def count_failure(request: HttpRequest, account: str, *, origin: str, at: datetime) -> Counts:
    """Counts a failure of an account from an address; the address ``""`` is not known.

    Locks both counts until the end of the transaction: each of them passes every number once.
    """
    failures = LoginFailure.objects
    failures.filter(at__lte=at - settings.ACCOUNT_LOCKOUT_TIME).delete()
    browser = known_browser(request, account) or ""
    row = {"account": _digest(account), "origin": origin, "browser": browser, "at": at}
    lock_names([f"login failures of {row['account']}", f"login failures from {origin}"])
    failures.create(**row)
    recent = failures.filter(at__gt=at - settings.ADDRESS_LOCKOUT_TIME)
    most: int = settings.ADDRESS_FAILURE_LIMIT
    return Counts(
        of_account=_failures(account, at=at).count(),
        of_origin=_failures_from(origin, at=at).count() if origin else 0,
        is_flood=recent[: most + 1].count() > most,
    )


def account_locked_until(request: HttpRequest, account: str, *, at: datetime) -> datetime | None:
    """The end of the account's lock for this browser; None if the account is not locked."""
    counted = _failures(account, at=at)
    first = _nth_latest(counted, settings.ACCOUNT_FAILURE_LIMIT)
    if first is None or _is_trusted(request, account, at=at):
        return None
    return first + settings.ACCOUNT_LOCKOUT_TIME


def address_locked_until(
    request: HttpRequest, account: str, *, origin: str | None, at: datetime
) -> datetime | None:
    """The end of the address's lock, unless the account knows the browser; None without one."""
    first = _nth_latest(_failures_from(origin, at=at), settings.ADDRESS_FAILURE_LIMIT)
    if not origin or first is None or _is_trusted(request, account, at=at):
        return None
    return first + settings.ADDRESS_LOCKOUT_TIME


def failures_of(account: str) -> int:
    """The number of failures of an account, from all addresses."""
    return LoginFailure.objects.filter(account=_digest(account)).count()


def forget_failures(account: str, *, origin: str | None = None) -> int:
    """Deletes the failures of an account, all or from one origin; returns how many."""
    counted = LoginFailure.objects.filter(account=_digest(account))
    deleted, _models = (counted if origin is None else counted.filter(origin=origin)).delete()
    return deleted


def _is_trusted(request: HttpRequest, account: str, *, at: datetime) -> bool:
    """Whether the browser is known to the account and below the limit of its own count."""
    browser = known_browser(request, account)
    if browser is None:
        return False
    counted = _failures(account, at=at).filter(browser=browser)
    recent = counted.filter(at__gt=at - settings.AXES_COOLOFF_TIME)
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


def knows_an_account(request: HttpRequest) -> bool:
    """Whether an account, whichever it is, knows the browser."""
    names = [name.removeprefix(_cookie_of("")) for name in request.COOKIES]
    keys = [name for name in names if name.isascii() and name.isdecimal()][:_MOST_ACCOUNTS]
    known = User.objects.filter(pk__in=keys, is_active=True)
    return any(known_browser(request, person.get_username()) for person in known)


def _failures(account: str, *, at: datetime) -> QuerySet[LoginFailure]:
    counted = LoginFailure.objects.filter(account=_digest(account))
    return counted.filter(at__gt=at - settings.ACCOUNT_LOCKOUT_TIME)


def _failures_from(origin: str | None, *, at: datetime) -> QuerySet[LoginFailure]:
    counted = LoginFailure.objects.filter(origin=origin or "")
    return counted.filter(at__gt=at - settings.ADDRESS_LOCKOUT_TIME)


def _nth_latest(counted: QuerySet[LoginFailure], number: int) -> datetime | None:
    """The time of the failure with which the limit was reached; None below it."""
    latest = counted.order_by("-at").values_list("at", flat=True)
    return latest[number - 1 : number].first()


def _digest(account: str) -> str:
    """A digest of the name, because an unknown name may be a password in the wrong field."""
    return salted_hmac(_SALT, account, algorithm="sha256").hexdigest()


def _cookie(person: User) -> str:
    return _cookie_of(str(person.pk))


def _cookie_of(key: str) -> str:
    return f"{settings.COOKIE_PREFIX}known_browser_{key}"

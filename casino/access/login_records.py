"""Logins, counted by django-axes and recorded in the trail, in one transaction.

The trail never stores a name that no account has: people type passwords there.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username, get_cool_off
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from casino.access.lockout_by_account import (
    account_locked_until,
    count_failure,
    forget_failures,
    remember_browser,
)
from casino.access.lockout_by_address import network_of
from casino.access.session_store import begin_visit
from compliance.trail.actor import Actor
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entries

_LONGEST_NAME: Final = 150  # characters, Django's own limit

VISITOR: Final = Actor("not logged in")
"""The actor of a failed login: the account's name is unproven."""


class LoginRecordingHandler(AxesDatabaseHandler):  # type: ignore[misc]  # django-axes ships no types
    """Counts the failures of one account from one address together, over all browsers.

    django-axes counts each browser separately, so the oldest counts would expire before the
    lock-out. ``lockout_by_account`` counts an account from all addresses. An IPv6 network of 64
    bits counts as one address, because one customer has all of it.
    """

    def is_locked(self, request: Any, credentials: Mapping[str, Any] | None = None) -> bool:
        """Whether the account is locked for this address, or for all."""
        with _counted_by_network(request):
            if super().is_locked(request, credentials):
                return True
        return self.locked_anywhere_until(request, credentials) is not None

    def locked_anywhere_until(
        self,
        request: Any,
        credentials: Mapping[str, Any] | None,
    ) -> datetime | None:
        """The end of the account's lock for all addresses; None if there is none."""
        account = get_client_username(request, credentials)
        if not account:
            return None
        return account_locked_until(request, account, at=request.axes_attempt_time)

    def reset_attempts(
        self,
        *,
        ip_address: str | None = None,
        username: str | None = None,
        ip_or_username: bool = False,
    ) -> int:
        """Deletes the failures of an account, from one address or from all."""
        network = None if ip_address is None else network_of(ip_address)
        if username and not ip_or_username:
            forget_failures(username, origin=network)
        forgotten: int = super().reset_attempts(
            ip_address=network, username=username, ip_or_username=ip_or_username
        )
        return forgotten

    def user_login_failed(
        self,
        sender: str,
        credentials: Mapping[str, Any],
        request: HttpRequest,
        *,
        reason: str = "",
        **kwargs: Any,
    ) -> None:
        """Counts the failure unless the account is locked already, and records it."""
        request.axes_user_agent = ""  # type: ignore[attr-defined]  # set by django-axes
        with transaction.atomic():
            with _counted_by_network(request):
                super().user_login_failed(sender, credentials, request, **kwargs)
            request.axes_credentials = credentials  # type: ignore[attr-defined]  # as above
            anywhere = _count_anywhere(request, get_client_username(request, credentials))
            failure = _failure(request, credentials["username"], reason, anywhere)
            _record(request, VISITOR, *failure)

    def user_logged_in(
        self,
        sender: type[User],
        request: Any,
        user: User,
        **kwargs: Any,
    ) -> None:
        """Deletes former failures and records the login."""
        with transaction.atomic():
            with _counted_by_network(request):
                super().user_logged_in(sender, request, user, **kwargs)
            forget_failures(user.get_username(), origin=network_of(request.axes_ip_address))
            remember_browser(request, user)
            at, address = request.axes_attempt_time, request.axes_ip_address
            begin_visit(request, user, at=at, address=address)
            factor = getattr(request, "second_factor", None)
            details = _known(user) | ({"factor": factor} if factor else {})
            _record(request, actor_of(user), Entry("LOGGED_IN", _subject(user), details))

    def user_logged_out(
        self,
        sender: type[User],
        request: Any,
        user: User | None,
        **kwargs: Any,
    ) -> None:
        """Records the logout of a person who was logged in."""
        with transaction.atomic():
            super().user_logged_out(sender, request, user, **kwargs)
            if user is not None:
                _record(request, actor_of(user), Entry("LOGGED_OUT", _subject(user), _known(user)))


def counted_name(_request: HttpRequest, credentials: Mapping[str, Any]) -> str:
    """The name under which failures are counted, cut to the longest that an account may have."""
    name: str = credentials["username"]
    return name[:_LONGEST_NAME]


@contextmanager
def _counted_by_network(request: Any) -> Iterator[None]:
    """Lets django-axes count by network; the trail stores the whole address."""
    address = request.axes_ip_address
    request.axes_ip_address = network_of(address)
    try:
        yield
    finally:
        request.axes_ip_address = address


def _count_anywhere(request: Any, account: str) -> int:
    """Counts the attempt, locks the account at the limit, returns the count."""
    if request.axes_failures_since_start is None:  # a locked account was not tried
        return 0
    origin, at = network_of(request.axes_ip_address) or "", request.axes_attempt_time
    failures = count_failure(request, account, origin=origin, at=at)
    if failures >= settings.ACCOUNT_FAILURE_LIMIT:
        request.axes_locked_out = account_locked_until(request, account, at=at) is not None
    return failures


def _failure(
    request: Any,
    username: str,
    known: str,
    anywhere: int,
) -> Iterator[Entry]:
    person = User.objects.filter(username=username).first()
    failures = request.axes_failures_since_start
    reason = "locked_out" if failures is None else known or _reason(person)
    yield Entry("LOGIN_FAILED", _subject(person), {"reason": reason, **_known(person)})
    if failures == settings.AXES_FAILURE_LIMIT:
        minutes = get_cool_off(request).total_seconds() / 60
        locked = {"reason": "failed_logins", "failures": failures, "minutes": round(minutes)}
        yield Entry("LOCKED_OUT", _subject(person), {**locked, **_known(person)})
    if anywhere == settings.ACCOUNT_FAILURE_LIMIT:
        minutes = settings.ACCOUNT_LOCKOUT_TIME.total_seconds() / 60
        locked = {"reason": "failed_anywhere", "failures": anywhere, "minutes": round(minutes)}
        yield Entry("LOCKED_OUT", _subject(person), {**locked, **_known(person)})


def _reason(person: User | None) -> str:
    if person is None:
        return "unknown_account"
    return "wrong_password" if person.is_active else "inactive_account"


def _subject(person: User | None) -> str:
    return "user:unknown" if person is None else f"user:{person.pk}"


def _known(person: User | None) -> dict[str, str]:
    return {} if person is None else {"account": person.get_username()}


def _record(request: Any, actor: Actor, *entries: Entry) -> None:
    address = {"address": request.axes_ip_address}
    located = [entry._replace(details={**entry.details, **address}) for entry in entries]
    record_entries(located, at=request.axes_attempt_time, actor=actor)

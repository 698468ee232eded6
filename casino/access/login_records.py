"""Logins, counted by django-axes and recorded in the trail, in one transaction.

The trail never stores a name that no account has: people type passwords there.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username, get_cool_off
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from casino.access.lockout_by_account import (
    Counts,
    account_locked_until,
    address_locked_until,
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
    lock-out. ``lockout_by_account`` counts an account from all addresses, and an address for all
    accounts. An IPv6 network of 64 bits counts as one address, because one customer has all of it.
    """

    def is_locked(self, request: Any, credentials: Mapping[str, Any] | None = None) -> bool:
        """Whether the account is locked for this address or for all, or the address is."""
        with _counted_by_network(request):
            if super().is_locked(request, credentials):
                return True
        return bool(
            self.locked_anywhere_until(request, credentials)
            or self.address_locked_until(request, credentials)
        )

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

    def address_locked_until(
        self,
        request: Any,
        credentials: Mapping[str, Any] | None,
    ) -> datetime | None:
        """The end of the address's lock for all accounts; None if there is none."""
        account = get_client_username(request, credentials) or ""
        origin = network_of(request.axes_ip_address)
        return address_locked_until(request, account, origin=origin, at=request.axes_attempt_time)

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
        identity: str = "",
        **kwargs: Any,
    ) -> None:
        """Counts the failure and records it, unless the account or the address is locked already.

        Refused attempts leave nothing behind: their number is the attacker's choice. ``identity``
        is the digest of a provider's name for the person.
        """
        request.axes_user_agent = ""  # type: ignore[attr-defined]  # set by django-axes
        with transaction.atomic():
            with _counted_by_network(request):
                super().user_login_failed(sender, credentials, request, **kwargs)
            request.axes_credentials = credentials  # type: ignore[attr-defined]  # as above
            if request.axes_failures_since_start is None:  # type: ignore[attr-defined]  # locked
                return
            counts = _count_anywhere(request, get_client_username(request, credentials))
            known = {"reason": reason, "identity": identity}
            failure = _failure(request, credentials["username"], known, counts)
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
            steps = {
                "factor": getattr(request, "second_factor", None),
                "method": getattr(request, "first_step", None),
            }
            details = _known(user) | {name: step for name, step in steps.items() if step}
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


def _count_anywhere(request: Any, account: str) -> Counts:
    """Counts the attempt, and locks the account or the address at its limit."""
    origin, at = network_of(request.axes_ip_address) or "", request.axes_attempt_time
    counts = count_failure(request, account, origin=origin, at=at)
    if counts.of_account >= settings.ACCOUNT_FAILURE_LIMIT:
        request.axes_locked_out = account_locked_until(request, account, at=at) is not None
    if counts.of_origin >= settings.ADDRESS_FAILURE_LIMIT:
        until = address_locked_until(request, account, origin=origin, at=at)
        request.axes_locked_out |= until is not None
    return counts


def _failure(
    request: Any, username: str, known: Mapping[str, str], counts: Counts
) -> Iterator[Entry]:
    person = User.objects.filter(username=username).first()
    if person is not None or not counts.is_flood:
        stated = {name: text for name, text in known.items() if text}
        details = {"reason": _reason(person), **stated, **_known(person)}
        yield Entry("LOGIN_FAILED", _subject(person), details)
        if request.axes_failures_since_start == settings.AXES_FAILURE_LIMIT:
            failures, cool_off = request.axes_failures_since_start, get_cool_off(request)
            yield _lock(person, "failed_logins", failures, cool_off)
        if counts.of_account == settings.ACCOUNT_FAILURE_LIMIT:
            yield _lock(person, "failed_anywhere", counts.of_account, settings.ACCOUNT_LOCKOUT_TIME)
    if counts.of_origin == settings.ADDRESS_FAILURE_LIMIT:
        yield _lock(None, "failed_address", counts.of_origin, settings.ADDRESS_LOCKOUT_TIME)


def _lock(person: User | None, reason: str, failures: int, span: timedelta) -> Entry:
    """One record of a lock, when it begins."""
    details = {"reason": reason, "failures": failures, "minutes": round(span.total_seconds() / 60)}
    return Entry("LOCKED_OUT", _subject(person), {**details, **_known(person)})


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

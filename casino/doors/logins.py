"""Logins are counted by django-axes and recorded in the trail, in one transaction.

A name that no account has is never stored in the trail: people type their password there.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_cool_off
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from casino.doors.sessions import begin_visit
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from payouts.stuck.people import actor_of

_LONGEST_NAME: Final = 150  # characters, Django's own limit

VISITOR: Final = Actor("not logged in")
"""Whoever fails to log in: the account's name was said, not proven."""


class RecordedLogins(AxesDatabaseHandler):  # type: ignore[misc]  # django-axes ships no types
    """Failures of one account from one address, whatever browser they name, are one count.

    Counted apart by browser, as django-axes would, the oldest counts would be over before the
    lock-out is.
    """

    def user_login_failed(
        self,
        sender: str,
        credentials: Mapping[str, Any],
        request: HttpRequest,
        *,
        reason: str = "",
        **kwargs: Any,  # noqa: ANN401  the signal's
    ) -> None:
        """Counts the failure, unless the account is locked already, and records what happened."""
        request.axes_user_agent = ""  # type: ignore[attr-defined]  # set by django-axes
        with transaction.atomic():
            super().user_login_failed(sender, credentials, request, **kwargs)
            _record(request, VISITOR, *_failure(request, credentials["username"], reason))

    def user_logged_in(
        self,
        sender: type[User],
        request: Any,  # noqa: ANN401  with what django-axes adds
        user: User,
        **kwargs: Any,  # noqa: ANN401  the signal's
    ) -> None:
        """Forgets the failures before, and records the login."""
        with transaction.atomic():
            super().user_logged_in(sender, request, user, **kwargs)
            at, address = request.axes_attempt_time, request.axes_ip_address
            begin_visit(request, user, at=at, address=address)
            factor = getattr(request, "second_factor", None)
            details = _known(user) | ({"factor": factor} if factor else {})
            _record(request, actor_of(user), Entry("LOGGED_IN", _subject(user), details))

    def user_logged_out(
        self,
        sender: type[User],
        request: Any,  # noqa: ANN401  with what django-axes adds
        user: User | None,
        **kwargs: Any,  # noqa: ANN401  the signal's
    ) -> None:
        """Records that somebody left; whoever had not come in leaves nothing."""
        with transaction.atomic():
            super().user_logged_out(sender, request, user, **kwargs)
            if user is not None:
                _record(request, actor_of(user), Entry("LOGGED_OUT", _subject(user), _known(user)))


def counted_name(_request: HttpRequest, credentials: Mapping[str, Any]) -> str:
    """The account's name under which failures are counted; no account has a longer one."""
    name: str = credentials["username"]
    return name[:_LONGEST_NAME]


def _failure(request: Any, username: str, known: str) -> Iterator[Entry]:  # noqa: ANN401  with what django-axes adds
    person = User.objects.filter(username=username).first()
    failures = request.axes_failures_since_start
    reason = "locked_out" if failures is None else known or _reason(person)
    yield Entry("LOGIN_FAILED", _subject(person), {"reason": reason, **_known(person)})
    if failures == settings.AXES_FAILURE_LIMIT:
        minutes = get_cool_off(request).total_seconds() / 60
        locked = {"reason": "failed_logins", "failures": failures, "minutes": round(minutes)}
        yield Entry("LOCKED_OUT", _subject(person), {**locked, **_known(person)})


def _reason(person: User | None) -> str:
    if person is None:
        return "unknown_account"
    return "wrong_password" if person.is_active else "inactive_account"


def _subject(person: User | None) -> str:
    return "user:unknown" if person is None else f"user:{person.pk}"


def _known(person: User | None) -> dict[str, str]:
    return {} if person is None else {"account": person.get_username()}


def _record(request: Any, actor: Actor, *entries: Entry) -> None:  # noqa: ANN401  with what django-axes adds
    address = {"address": request.axes_ip_address}
    located = [entry._replace(details={**entry.details, **address}) for entry in entries]
    record_entries(located, at=request.axes_attempt_time, actor=actor)

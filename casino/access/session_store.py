"""The session engine (SESSION_ENGINE): Django's, with the person, address and browser."""

from collections.abc import Callable
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Final

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from casino.access.models import OpenSession

_VISIT: Final = "visit"
_LONGEST_BROWSER: Final = 300  # characters
_SEEN_EVERY: Final = timedelta(minutes=1)


class SessionStore(DatabaseStore):
    """Django's database sessions, in a table that copies some of the data to columns."""

    seen_at: datetime | None = None

    @classmethod
    def get_model_class(cls) -> type[AbstractBaseSession]:
        """The model of the table."""
        return OpenSession

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        """The row of a session; saving it updates ``seen_at``."""
        row: Any = super().create_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        for column, value in data.get(_VISIT, {}).items():
            setattr(row, column, value)
        return row  # type: ignore[no-any-return]  # the stubs know no columns of ours

    def _get_session_from_db(self) -> Any:
        row = super()._get_session_from_db()  # type: ignore[misc]  # as above
        self.seen_at = row.seen_at if row else None
        return row


class SessionActivityMiddleware:
    """Stores when a session was last used, at most once a minute."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Returns the response."""
        response = self._get_response(request)
        seen_at = getattr(request.session, "seen_at", None)
        now = timezone.now()
        if seen_at is not None and seen_at < now - _SEEN_EVERY:
            used = OpenSession.objects.filter(session_key=request.session.session_key)
            used.filter(seen_at__lt=now - _SEEN_EVERY).update(seen_at=now)
        return response


def begin_visit(request: HttpRequest, person: User, *, at: datetime, address: str | None) -> None:
    """Stores the visit in a new session, and deletes the person's expired sessions."""
    request.session[_VISIT] = {
        "handle": token_hex(16),
        "started_at": at.isoformat(),
        "address": address,
        "browser": request.headers.get("User-Agent", "")[:_LONGEST_BROWSER],
    }
    own = Q(user=person) | Q(user=None)
    OpenSession.objects.filter(own, expire_date__lt=at).delete()


def session_handle(request: HttpRequest) -> str | None:
    """The handle of the request's session."""
    visit: dict[str, str] = request.session.get(_VISIT, {})
    return visit.get("handle")


def open_sessions(*, at: datetime) -> QuerySet[OpenSession]:
    """The sessions of people who are logged in, last used first."""
    logged_in = OpenSession.objects.filter(user__is_active=True, expire_date__gt=at)
    return logged_in.exclude(handle=None).select_related("user").order_by("-seen_at", "handle")

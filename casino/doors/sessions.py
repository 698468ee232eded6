"""Sessions that know whose they are and where; the settings name this module as Django's own."""

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

from casino.models import OpenSession

_VISIT: Final = "visit"
_LONGEST_BROWSER: Final = 300  # characters
_SEEN_EVERY: Final = timedelta(minutes=1)


class SessionStore(DatabaseStore):
    """Django's, in a table with more columns, which are copies of what the session holds."""

    seen_at: datetime | None = None

    @classmethod
    def get_model_class(cls) -> type[AbstractBaseSession]:
        """The table."""
        return OpenSession

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        """The row: to save a session is to be seen."""
        row: Any = super().create_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        for column, value in data.get(_VISIT, {}).items():
            setattr(row, column, value)
        return row  # type: ignore[no-any-return]  # the stubs know no columns of ours

    def _get_session_from_db(self) -> Any:  # noqa: ANN401  Django's, which the stubs leave out
        row = super()._get_session_from_db()  # type: ignore[misc]  # as above
        self.seen_at = row.seen_at if row else None
        return row


class SeenSessions:
    """Notes when a session was last used: at most once a minute, by one statement."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer as it is."""
        response = self._get_response(request)
        seen_at = getattr(request.session, "seen_at", None)
        now = timezone.now()
        if seen_at is not None and seen_at < now - _SEEN_EVERY:
            used = OpenSession.objects.filter(session_key=request.session.session_key)
            used.filter(seen_at__lt=now - _SEEN_EVERY).update(seen_at=now)
        return response


def begin_visit(request: HttpRequest, person: User, *, at: datetime, address: str | None) -> None:
    """Notes in a session who has just logged in, and forgets what is over."""
    request.session[_VISIT] = {
        "handle": token_hex(16),
        "started_at": at.isoformat(),
        "address": address,
        "browser": request.headers.get("User-Agent", "")[:_LONGEST_BROWSER],
    }
    nobodys = Q(user=person) | Q(user=None)
    OpenSession.objects.filter(nobodys, expire_date__lt=at).delete()


def handle_of(request: HttpRequest) -> str | None:
    """The handle of the session in which somebody asks."""
    visit: dict[str, str] = request.session.get(_VISIT, {})
    return visit.get("handle")


def open_sessions(*, at: datetime) -> QuerySet[OpenSession]:
    """Those in which somebody is logged in, last seen first."""
    logged_in = OpenSession.objects.filter(user__is_active=True, expire_date__gt=at)
    return logged_in.exclude(handle=None).select_related("user").order_by("-seen_at", "handle")

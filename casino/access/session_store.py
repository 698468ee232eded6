"""The session engine (SESSION_ENGINE): Django's, with the person, address and browser.

A session ends at a fixed time after the login, and before that if its person does nothing for
``SESSION_IDLE_TIME``. What pages request by themselves is not the person's doing.
"""

from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.middleware import SessionMiddleware
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from casino.access.models import OpenSession

_VISIT: Final = "visit"
_LONGEST_BROWSER: Final = 300  # characters
_READ: Final = ("GET", "HEAD", "OPTIONS")
_SEEN_EVERY: Final = timedelta(minutes=1)


class SessionStore(DatabaseStore):
    """Django's database sessions, in a table that copies some of the data to columns."""

    seen_at: datetime | None = None

    @classmethod
    def get_model_class(cls) -> type[AbstractBaseSession]:
        """The model of the table."""
        return OpenSession

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        """The row of a session; it was last used when it was read, not when it is written."""
        row: Any = super().create_model_instance(data)
        row.seen_at = self.seen_at or timezone.now()
        row.user_id = data.get(SESSION_KEY)
        for column, value in data.get(_VISIT, {}).items():
            setattr(row, column, value)
        return row  # type: ignore[no-any-return]  # the stubs know no columns of ours

    def _get_session_from_db(self) -> Any:
        row = super()._get_session_from_db()  # type: ignore[misc]  # as above
        if row is not None and row.seen_at <= idle_since(timezone.now()):
            row.delete()
            row = self._session_key = None
        self.seen_at = row.seen_at if row else None
        return row


class SessionActivityMiddleware(SessionMiddleware):
    """Django's, which stores when a session's person last did something, at most once a minute."""

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        """Returns the response; one that ends no session leaves the cookie alone.

        A request of a script may come with the session's former key while a confirmation gives the
        browser a new one, which Django would delete there.
        """
        if is_own_action(request):
            _mark_as_used(request)
        answer = super().process_response(request, response)
        cookie = answer.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and not cookie.value and not request.session.modified:
            del answer.cookies[settings.SESSION_COOKIE_NAME]
        return answer


def is_own_action(request: HttpRequest) -> bool:
    """Whether a person has sent the request, and not a page that keeps itself current.

    Browsers accept HTML where they are led, scripts and streams do not ask for it. A page that
    reloads itself names itself as the page before.
    """
    if request.method not in _READ:
        return True
    if "text/html" not in request.headers.get("Accept", "text/html"):
        return False
    page_before = request.headers.get("Referer", "").partition("://")[2].partition("/")[2]
    is_pressed = request.headers.get("Sec-Fetch-User") == "?1"
    return is_pressed or page_before != request.get_full_path()[1:]


def _mark_as_used(request: HttpRequest) -> None:
    seen_at = getattr(request.session, "seen_at", None)
    now = timezone.now()
    if seen_at is not None and seen_at < now - _SEEN_EVERY:
        used = OpenSession.objects.filter(session_key=request.session.session_key)
        used.filter(seen_at__lt=now - _SEEN_EVERY).update(seen_at=now)
        request.session.seen_at = now  # type: ignore[attr-defined]  # of our engine


def idle_since(at: datetime) -> datetime:
    """Sessions that were not used since then are over."""
    since: datetime = at - settings.SESSION_IDLE_TIME
    return since


def begin_visit(request: HttpRequest, person: User, *, at: datetime, address: str | None) -> None:
    """Stores the visit in a new session, with its end, and deletes the person's former ones."""
    request.session.seen_at = None  # type: ignore[attr-defined]  # of our engine: used now
    request.session.set_expiry(at + timedelta(seconds=settings.SESSION_COOKIE_AGE))
    request.session[_VISIT] = {
        "handle": token_hex(16),
        "started_at": at.isoformat(),
        "address": address,
        "browser": request.headers.get("User-Agent", "")[:_LONGEST_BROWSER],
    }
    own = Q(user=person) | Q(user=None)
    over = Q(expire_date__lt=at) | Q(seen_at__lte=idle_since(at))
    OpenSession.objects.filter(own, over).delete()


def session_handle(request: HttpRequest) -> str | None:
    """The handle of the request's session."""
    visit: dict[str, str] = request.session.get(_VISIT, {})
    return visit.get("handle")


def not_over(sessions: QuerySet[OpenSession], *, at: datetime) -> QuerySet[OpenSession]:
    """Those that have neither reached their end nor been unused for too long."""
    return sessions.filter(expire_date__gt=at, seen_at__gt=idle_since(at))


def open_sessions(*, at: datetime) -> QuerySet[OpenSession]:
    """The sessions of people who are logged in, last used first."""
    logged_in = not_over(OpenSession.objects.filter(user__is_active=True), at=at)
    return logged_in.exclude(handle=None).select_related("user").order_by("-seen_at", "handle")

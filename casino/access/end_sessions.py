"""Ending sessions, with an audit record of each."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from casino.access.audit import record_access
from casino.access.models import OpenSession
from casino.access.session_store import session_handle


def end_sessions_of(request: HttpRequest, person: User) -> int:
    """Ends all sessions of a person but that of the request; returns how many."""
    sessions = OpenSession.objects.filter(user=person).exclude(handle=None)
    others = sessions.exclude(handle=session_handle(request))
    return end_sessions(request, others.select_related("user"))


def end_sessions(request: HttpRequest, sessions: Iterable[OpenSession]) -> int:
    """Deletes sessions, effective at once; returns how many were still open."""
    ended = 0
    for session in sessions:
        with transaction.atomic():
            deleted, _rows = OpenSession.objects.filter(pk=session.pk).delete()
            if deleted and session.user is not None:
                ended += 1
                record_access(request, "SESSION_ENDED", session.user, _details(session))
    return ended


def _details(session: OpenSession) -> dict[str, str | None]:
    since = session.started_at.isoformat() if session.started_at else None
    return {"since": since, "session_address": session.address, "browser": session.browser}

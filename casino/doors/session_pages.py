"""Where people are logged in, and how that is ended."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.doors.browsers import browser_words
from casino.doors.sessions import handle_of, open_sessions
from casino.models import OpenSession
from payouts.pages.access_trail import record_access
from payouts.pages.own_pages import person_of, show
from payouts.pages.words import role_words

LOOK: Final = "casino.view_opensession"
END: Final = "casino.end_session"

_MOST: Final = 200


class Line(NamedTuple):
    """One session as a page shows it."""

    session: OpenSession
    browser: str
    roles: str
    is_this: bool


def show_all(request: HttpRequest) -> HttpResponse:
    """Everybody's sessions; the latest, where there are very many."""
    found = open_sessions(at=timezone.now()).prefetch_related("user__groups")
    sessions = list(found[: _MOST + 1])
    context = {
        "title": _("Sessions"),
        "lines": _lines(request, sessions[:_MOST]),
        "is_cut": len(sessions) > _MOST,
        "may_end": request.user.has_perm(END),
    }
    return show(request, "pages/sessions.html", context)


def own_lines(request: HttpRequest) -> Sequence[Line]:
    """The person's own sessions."""
    return _lines(request, open_sessions(at=timezone.now()).filter(user=person_of(request)))


def end(request: HttpRequest) -> HttpResponse:
    """Ends anybody's session."""
    chosen = open_sessions(at=timezone.now()).filter(handle=_handle(request))
    _tell(request, end_sessions(request, chosen))
    return redirect("sessions")


def end_own(request: HttpRequest) -> HttpResponse:
    """Ends one of the person's own sessions; without a choice, all but this one."""
    own = open_sessions(at=timezone.now()).filter(user=person_of(request))
    handle = _handle(request)
    chosen = own.filter(handle=handle) if handle else own.exclude(handle=handle_of(request))
    _tell(request, end_sessions(request, chosen))
    return redirect("security")


def end_sessions_of(request: HttpRequest, person: User) -> int:
    """Logs a person out everywhere but here; gives in how many places that was."""
    theirs = OpenSession.objects.filter(user=person).exclude(handle=None)
    return end_sessions(request, theirs.exclude(handle=handle_of(request)).select_related("user"))


def end_sessions(request: HttpRequest, sessions: Iterable[OpenSession]) -> int:
    """Logs sessions out at once; gives how many there still were."""
    ended = 0
    for session in sessions:
        with transaction.atomic():
            gone, _rows = OpenSession.objects.filter(pk=session.pk).delete()
            if gone and session.user is not None:
                ended += 1
                record_access(request, "SESSION_ENDED", session.user, _details(session))
    return ended


def _details(session: OpenSession) -> dict[str, str | None]:
    since = session.started_at.isoformat() if session.started_at else None
    return {"since": since, "session_address": session.address, "browser": session.browser}


def _tell(request: HttpRequest, ended: int) -> None:
    if ended:
        words = ngettext("%(number)d session is over.", "%(number)d sessions are over.", ended)
        messages.success(request, words % {"number": ended})
    else:
        messages.warning(request, _("It was over already."))


def _handle(request: HttpRequest) -> str:
    return request.POST.get("session", "").replace("\0", "")


def _lines(request: HttpRequest, sessions: Iterable[OpenSession]) -> Sequence[Line]:
    here = handle_of(request)
    return [
        Line(
            session,
            browser_words(session.browser),
            ", ".join(role_words(role.name) for role in session.user.groups.all())
            if session.user
            else "",
            session.handle == here,
        )
        for session in sessions
    ]

"""Active sessions, and ending them."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.access.browser_names import browser_label
from casino.access.current_user import request_user
from casino.access.end_sessions import end_sessions
from casino.access.models import OpenSession
from casino.access.roles import ROLES, role_label
from casino.access.session_store import open_sessions, session_handle
from casino.backoffice.lists.columns import Column, Kind
from casino.backoffice.lists.filters import choice_filter, person_filter, text_filter
from casino.backoffice.lists.list_page import Listing, ListSpec
from casino.backoffice.site.keyset_paging import ordered
from casino.backoffice.site.views import show
from compliance.trail.people import name_of

LOOK: Final = "casino.view_opensession"
END: Final = "casino.end_session"

_MOST: Final = 200


class SessionRow(NamedTuple):
    """A session in the list."""

    session: OpenSession
    browser: str
    roles: str
    is_this: bool


LIST: Final = ListSpec(
    name="sessions",
    filters=(
        text_filter(
            "address",
            gettext_lazy("Address"),
            lambda rows, value: rows.filter(address__startswith=value),
        ),
        person_filter(field="user_id"),
        choice_filter(
            "role",
            gettext_lazy("Role"),
            lambda: [(name, role_label(name)) for name in ROLES],
            lambda rows, value: rows.filter(user__groups__name=value),
        ),
    ),
    columns=(
        Column("person", gettext_lazy("Person"), lambda line: name_of(line.session.user)),
        Column("browser", gettext_lazy("Browser"), lambda line: line.browser),
        Column("address", gettext_lazy("Address"), lambda line: line.session.address or ""),
        Column(
            "since",
            gettext_lazy("Since"),
            lambda line: line.session.started_at,
            Kind.MOMENT,
            "started_at",
        ),
        Column(
            "seen",
            gettext_lazy("Last seen"),
            lambda line: line.session.seen_at,
            Kind.MOMENT,
            "seen_at",
        ),
    ),
    sort="-seen",
)


def show_all(request: HttpRequest) -> HttpResponse:
    """The sessions of all users, as many as a page holds.

    There are no further pages: their addresses would have to name a place in the list by the key of
    a session, which would give access to it.
    """
    listing = Listing(LIST, request)
    rows = open_sessions(at=timezone.now()).prefetch_related("user__groups")
    if file := listing.file_of(rows, lambda sessions: _lines(request, sessions)):
        return file
    sessions = list(ordered(listing.form.applied_to(rows), listing.order)[: _MOST + 1])
    context = {
        "title": _("Sessions"),
        "is_cut": len(sessions) > _MOST,
        "may_end": request.user.has_perm(END),
        **listing.context(_lines(request, sessions[:_MOST])),
    }
    return show(request, "backoffice/people/sessions.html", context)


def own_lines(request: HttpRequest) -> Sequence[SessionRow]:
    """The user's sessions."""
    return _lines(request, open_sessions(at=timezone.now()).filter(user=request_user(request)))


def end(request: HttpRequest) -> HttpResponse:
    """End a session of any user."""
    chosen = open_sessions(at=timezone.now()).filter(handle=_handle(request))
    _tell(request, end_sessions(request, chosen))
    return redirect("sessions")


def end_own(request: HttpRequest) -> HttpResponse:
    """End one of the user's sessions, or all others."""
    own = open_sessions(at=timezone.now()).filter(user=request_user(request))
    handle = _handle(request)
    chosen = own.filter(handle=handle) if handle else own.exclude(handle=session_handle(request))
    _tell(request, end_sessions(request, chosen))
    return redirect("security")


def _tell(request: HttpRequest, ended: int) -> None:
    if ended:
        message = ngettext("%(number)d session ended.", "%(number)d sessions ended.", ended)
        messages.success(request, message % {"number": ended})
    else:
        messages.warning(request, _("The session had already ended."))


def _handle(request: HttpRequest) -> str:
    return request.POST.get("session", "").replace("\0", "")


def _lines(request: HttpRequest, sessions: Iterable[OpenSession]) -> Sequence[SessionRow]:
    here = session_handle(request)
    return [
        SessionRow(
            session,
            browser_label(session.browser),
            ", ".join(role_label(role.name) for role in session.user.groups.all())
            if session.user
            else "",
            session.handle == here,
        )
        for session in sessions
    ]

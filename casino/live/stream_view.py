"""The address of the stream of topics."""

import re
import socket
from functools import partial
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET

from casino.live.hub import HUB
from casino.live.stream import Stream, StreamResponse, Subscriber
from casino.live.subscribers import subscriber_of
from casino.webserver.client_socket import can_be_handed_over
from compliance.storage.sessions import has_sessions

_MILLISECONDS: Final = re.compile(r"[0-9]{1,15}")
_UNAVAILABLE: Final = 503
_FORBIDDEN: Final = 403


@require_GET
def live_stream(request: HttpRequest) -> HttpResponseBase:
    """A stream of the topics that the person may know of.

    Answers 403 without a login, not the login page, and 503 where this server has no streams, no
    room for one or no connection to listen on: pages then work as without JavaScript.
    """
    if not request.user.is_authenticated:
        return HttpResponse(status=_FORBIDDEN)
    has_room = HUB.has_room and has_sessions()
    if not (has_room and can_be_handed_over(request.environ)):  # type: ignore[attr-defined]  # WSGI's
        return HttpResponse(status=_UNAVAILABLE, headers={"Retry-After": "60"})
    last = request.headers.get("Last-Event-ID", "") or request.GET.get("since", "")
    since = int(last) if _MILLISECONDS.fullmatch(last) else 0
    return StreamResponse(partial(_open, subscriber_of(request), since))


def _open(subscriber: Subscriber, since: int, connection: socket.socket) -> None:
    HUB.add(Stream(connection, subscriber, since=since))

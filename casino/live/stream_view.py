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

_MILLISECONDS: Final = re.compile(r"[0-9]{1,15}")
_UNAVAILABLE: Final = 503
_FORBIDDEN: Final = 403


@require_GET
def live_stream(request: HttpRequest) -> HttpResponseBase:
    """A stream of the topics that the person may know of.

    Answers 403 without a login, not the login page, and 503 where this server has no streams or no
    room for one: pages then work as without JavaScript.
    """
    if not request.user.is_authenticated:
        return HttpResponse(status=_FORBIDDEN)
    if not (can_be_handed_over(request.environ) and HUB.has_room):  # type: ignore[attr-defined]  # WSGI's
        return HttpResponse(status=_UNAVAILABLE, headers={"Retry-After": "60"})
    last = request.headers.get("Last-Event-ID", "") or request.GET.get("since", "")
    since = int(last) if _MILLISECONDS.fullmatch(last) else 0
    return StreamResponse(partial(_open, subscriber_of(request), since))


def _open(subscriber: Subscriber, since: int, connection: socket.socket) -> None:
    HUB.add(Stream(connection, subscriber, since=since))

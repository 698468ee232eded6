"""Streams of a real web server, for tests."""

import http.client
import time
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from casino.live.topics import EVERYTHING

_PATIENCE_SECONDS: Final = 30.0


def cookie_of(person: User) -> str:
    """The Cookie header of a person who has logged in."""
    client = Client()
    client.force_login(person)
    return f"sessionid={client.cookies[settings.SESSION_COOKIE_NAME].value}"


class OpenStream:
    """A connection that has asked for the stream."""

    def __init__(self, address: str, cookie: str = "", *, since: int | None = None) -> None:
        place = urlsplit(address)
        self._connection = http.client.HTTPConnection(place.netloc, timeout=_PATIENCE_SECONDS)
        since = int(time.time() * 1000) if since is None else since
        self._connection.request(
            "GET", f"/admin/live/?since={since}", headers={"Cookie": cookie} if cookie else {}
        )
        _open.append(self)
        self.response = self._connection.getresponse()
        self.status = self.response.status
        if self.status == http.HTTPStatus.OK:
            self.line()  # the greeting: the stream is served
            self.line()

    def line(self) -> str:
        """The next line; empty at the end of an event. Raises EOFError at the end of the stream."""
        line = self.response.readline()
        if not line:
            raise EOFError
        return line.decode().rstrip("\n")

    def topic(self) -> str:
        """The topic of the next event, but not that the browser may have missed something.

        The first stream of a process is always told so.
        """
        while (topic := self.any_topic()) == EVERYTHING:
            pass
        return topic

    def any_topic(self) -> str:
        """The topic of the next event."""
        while not (line := self.line()).startswith("data: "):
            pass
        return line.removeprefix("data: ")

    def ends(self) -> bool:
        """Whether the server ends the stream in time."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        try:
            while time.monotonic() < deadline:
                self.line()
        except (EOFError, ConnectionError):
            return True
        return False

    def close(self) -> None:
        """Leaves."""
        self.response.close()
        self._connection.close()


_open: Final[list[OpenStream]] = []


def close_streams() -> None:
    """Leaves all streams."""
    while _open:
        _open.pop().close()

"""One browser's stream of topics, and the response that begins it."""

import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from django.http import StreamingHttpResponse

from casino.live.topics import is_for

_HELLO: Final = b"retry: 5000\n\n"
_BEAT: Final = b":\n\n"


class Subscriber(NamedTuple):
    """Who reads a stream, as the request that began it was authenticated."""

    session_key: str
    person_id: int
    auth_hash: str
    """Changes with the password, and so ends the session."""
    kinds: frozenset[str]


class Event(NamedTuple):
    """A change, and when it was heard of: milliseconds since 1970, UTC."""

    at: int
    topic: str


class Stream:
    """An open connection to a browser. It is never waited for: one that does not read is closed."""

    def __init__(self, connection: socket.socket, subscriber: Subscriber, *, since: int) -> None:
        self.connection, self.subscriber, self.since = connection, subscriber, since
        connection.setblocking(False)

    def send(self, events: Iterable[Event]) -> bool:
        """Sends those events that the reader may know of; False if the stream is over."""
        reader = self.subscriber
        lines = [
            f"id: {event.at}\ndata: {event.topic}\n\n"
            for event in events
            if is_for(event.topic, person_id=reader.person_id, kinds=reader.kinds)
        ]
        return self._write("".join(lines).encode()) if lines else True

    def greet(self) -> bool:
        """Tells the browser that the stream is open; False if the stream is over."""
        return self._write(_HELLO)

    def beat(self) -> bool:
        """Keeps proxies from closing an idle stream; False if the stream is over."""
        return self._write(_BEAT)

    def is_there(self) -> bool:
        """Whether the browser, which has nothing more to say, is still connected."""
        try:
            self.connection.recv(1)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            return False
        return False

    def close(self) -> None:
        """Closes the connection. The browser reconnects, and is authenticated anew."""
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()

    def _write(self, octets: bytes) -> bool:
        """A few octets fit into the socket's buffer unless the browser has stopped reading."""
        try:
            return self.connection.send(octets) == len(octets)
        except OSError:
            return False


class StreamResponse(StreamingHttpResponse):
    """A response without an end: the web server hands its connection over after the head.

    ``take_over`` gets the socket (``casino.webserver.worker``) and the thread is free.
    """

    def __init__(self, take_over: Callable[[socket.socket], None]) -> None:
        super().__init__((), content_type="text/event-stream; charset=utf-8")
        self.take_over = take_over
        self.headers["X-Accel-Buffering"] = "no"  # nginx would hold the events back

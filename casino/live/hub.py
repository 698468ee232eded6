"""The streams of this process, served by one thread with one connection to the database.

The thread waits for PostgreSQL's notifications and for browsers that leave, in one selector, and
never for a browser. If it loses the database, all streams end; browsers reconnect by themselves.
"""

import logging
import os
import selectors
import socket
import time
from collections import deque
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, Final

import psycopg
from django.db import DatabaseError, connections
from django.utils import timezone

from casino.live.stream import Event, Stream
from casino.live.subscribers import valid_subscribers
from casino.live.topics import EVERYTHING
from compliance.storage.sessions import session_alias
from compliance.trail.announcements import CHANNEL, merged_topics

MOST_STREAMS: Final = 250
"""Streams of a process; further browsers show pages that do not update themselves."""
MOST_OF_A_SESSION: Final = 12
"""Streams of a session; the oldest gives way. A browser needs one for all of its tabs."""
CHECK_SECONDS: Final = 10.0
"""How often sessions and roles are checked, and idle streams get a sign of life."""
GATHER_SECONDS: Final = 0.5
"""Changes within this time are sent together, each topic once."""
REPLAY_SECONDS: Final = 30
"""How long events are kept for a page that was built before its stream began."""
_RETRY_SECONDS: Final = 2.0
_LOST: Final = (DatabaseError, psycopg.Error, OSError)
_log = logging.getLogger(__name__)


class Hub:
    """The open streams, and the thread that serves them, which starts with the first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pid = 0
        self._arriving: deque[Stream] = deque()
        self._streams: dict[Stream, None] = {}

    @property
    def has_room(self) -> bool:
        """Whether this process serves another stream."""
        return len(self._streams) + len(self._arriving) < MOST_STREAMS

    def add(self, stream: Stream) -> None:
        """Serves a stream; returns at once."""
        with self._lock:
            if self._pid != os.getpid():
                self._start()
        self._arriving.append(stream)
        with suppress(BlockingIOError):  # the thread is awake anyway
            self._waker.send(b".")

    def _start(self) -> None:
        self._pid = os.getpid()
        self._arriving.clear()
        self._streams = {}
        self._waking, self._waker = socket.socketpair()
        self._waking.setblocking(False)
        self._waker.setblocking(False)
        Thread(target=self._serve_forever, name="live streams", daemon=True).start()

    def _serve_forever(self) -> None:
        while True:
            try:
                self._serve()
            except _LOST as error:
                _log.warning("Live streams end, because the database is unreachable: %s", error)
            except Exception:  # noqa: BLE001  browsers reconnect after any error
                _log.exception("Live streams end")
            for stream in [*self._streams, *self._arriving]:
                stream.close()
            self._streams = {}
            self._arriving.clear()
            with suppress(*_LOST):
                connections.close_all()  # this thread's
            time.sleep(_RETRY_SECONDS)

    def _serve(self) -> None:
        """Serves streams until the database fails."""
        session = connections[session_alias()]
        with session.cursor() as cursor:
            cursor.execute(f'LISTEN "{CHANNEL}"')
        database: Any = session.connection  # psycopg's
        _Loop(self._streams, self._arriving, database, self._waking).run()


class _Loop:
    """The selector's loop over one connection to the database."""

    def __init__(
        self,
        streams: dict[Stream, None],
        arriving: deque[Stream],
        database: Any,
        waking: socket.socket,
    ) -> None:
        self._streams, self._arriving, self._database = streams, arriving, database
        self._waking = waking
        self._since = _milliseconds()
        self._recent: deque[Event] = deque()
        self._heard: list[str] = []
        self._check_at = time.monotonic() + CHECK_SECONDS
        self._send_at = 0.0

    def run(self) -> None:
        """Runs until the database fails, which raises its error."""
        with selectors.DefaultSelector() as self._selector:
            self._selector.register(self._database.fileno(), selectors.EVENT_READ)
            self._selector.register(self._waking, selectors.EVENT_READ)
            while True:
                self._wait()
                self._hear()
                self._welcome()
                if self._heard and time.monotonic() >= self._send_at:
                    self._tell()
                if time.monotonic() >= self._check_at:
                    self._check()

    def _wait(self) -> None:
        wake_at = self._check_at if not self._heard else min(self._check_at, self._send_at)
        for key, _mask in self._selector.select(max(wake_at - time.monotonic(), 0.0)):
            if isinstance(key.data, Stream) and not key.data.is_there():
                self._drop(key.data)
            elif key.fileobj is self._waking:
                with suppress(BlockingIOError):
                    self._waking.recv(1 << 12)

    def _hear(self) -> None:
        """Takes what PostgreSQL has sent; also what arrived with the answer to another query."""
        heard = [notification.payload for notification in self._database.notifies(timeout=0)]
        if heard and not self._heard:
            self._send_at = time.monotonic() + GATHER_SECONDS
        self._heard += heard
        if any(topic.startswith("access:") for topic in heard):
            self._check_at = min(self._check_at, time.monotonic() + GATHER_SECONDS)

    def _welcome(self) -> None:
        """Greets new streams, and tells them what changed since their page was built."""
        while self._arriving:
            stream = self._arriving.popleft()
            of_session = [
                other
                for other in self._streams
                if other.subscriber.session_key == stream.subscriber.session_key
            ]
            for oldest in of_session[: max(len(of_session) - MOST_OF_A_SESSION + 1, 0)]:
                self._drop(oldest)
            self._streams[stream] = None
            self._selector.register(stream.connection, selectors.EVENT_READ, stream)
            if stream.since < max(self._since, _milliseconds() - REPLAY_SECONDS * 1000):
                missed = [Event(_milliseconds(), EVERYTHING)]
            else:
                missed = [event for event in self._recent if event.at > stream.since]
            if not (stream.greet() and stream.send(missed)):
                self._drop(stream)

    def _tell(self) -> None:
        """Sends what was heard to everybody who may know of it."""
        now = _milliseconds()
        events = [Event(now, topic) for topic in merged_topics(self._heard) if topic.isprintable()]
        self._heard = []
        self._recent.extend(events)
        while self._recent and self._recent[0].at < now - REPLAY_SECONDS * 1000:
            self._recent.popleft()
        for stream in [stream for stream in self._streams if not stream.send(events)]:
            self._drop(stream)

    def _check(self) -> None:
        """Ends the streams of sessions that are over or have other roles."""
        self._check_at = time.monotonic() + CHECK_SECONDS
        if not self._streams:
            with connections[session_alias()].cursor() as cursor:
                cursor.execute("SELECT 1")  # notices a lost connection
            return
        subscribers = [stream.subscriber for stream in self._streams]
        valid = valid_subscribers(subscribers, at=timezone.now())
        for stream in list(self._streams):
            if stream.subscriber not in valid or not stream.beat():
                self._drop(stream)

    def _drop(self, stream: Stream) -> None:
        if stream in self._streams:
            del self._streams[stream]
            self._selector.unregister(stream.connection)
            stream.close()


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


HUB: Final = Hub()
"""The streams of this process."""

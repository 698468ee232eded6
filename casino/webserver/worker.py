"""gunicorn's threaded worker, changed so that threads never wait for slow clients.

gunicorn hands a connection to a thread at its first byte; the thread then waits for the head, for
the body, and for the client to read the response. As many slow clients as threads stop the site.
Here the event loop collects heads and short bodies and sends buffered output; a thread gets whole
requests and is free once it has written its response. Longer bodies are read by the thread, which
the application does for authenticated clients only (``casino.backoffice.site.body_limits``,
``casino.api.views``). A response that has no end, with the attribute ``take_over``, leaves the
worker after its head: its connection is handed over (``casino.live``).

gunicorn's parser, limits, log and graceful shutdown are unchanged. Its version is pinned, because
methods of its worker are overridden (``tests/casino/webserver/test_slow_clients.py``).
"""

import selectors
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Final, cast

from gunicorn import util
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, TConn, ThreadWorker

from casino.webserver.client_socket import ClientSocket
from casino.webserver.named_host import refusing_nameless_requests
from casino.webserver.request_head import Arrival, arrival_of

ARRIVE_SECONDS: Final = 20.0
"""The time limit for a head with a short body, from its first byte."""
FLUSH_SECONDS: Final = 60.0
"""The time limit for a client that reads nothing of its response."""
LINGER_SECONDS: Final = 2.0
"""How long a connection that we closed waits for the client to close it too (RFC 9112, 9.6)."""
_LOOK_SECONDS: Final = 1.0
_MOST_DRAINED: Final = 32 << 20
"""Bytes that are discarded meanwhile, so that a client that still sends can read the response."""
_MOST_SKIPPED: Final = 1 << 16
"""Bytes of an unread body that gunicorn skips to keep a connection."""

_Application = Callable[..., Iterable[bytes]]
_Callback = Callable[["_Client", socket.socket], None]


class _Client(TConn):  # type: ignore[misc]  # gunicorn ships no types
    """A connection whose input or output the event loop awaits."""

    sock: ClientSocket
    expires: float
    drained = 0


class PatientWorker(ThreadWorker):  # type: ignore[misc]  # as above
    """Collects requests and sends responses in its event loop; threads handle whole requests."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._waiting: dict[_Client, None] = {}
        self._looked_at = 0.0
        self._is_stopping = False

    def load_wsgi(self) -> None:
        """Loads the application, wrapped so that connections with unread bodies are closed.

        Requests without a host do not reach it.
        """
        super().load_wsgi()
        self.wsgi = refusing_nameless_requests(_closing_what_is_unread(self.app.wsgi()))

    def accept(self, listener: socket.socket) -> None:
        """Accepts a connection; a thread handles it once its request has arrived."""
        if self.cfg.is_ssl:
            super().accept(listener)
            return
        try:
            accepted, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError, InterruptedError):
            return
        self.nr_conns += 1
        client = _Client(self.cfg, ClientSocket(accepted), address, listener.getsockname())
        client.data_ready = True
        self._await_request(client)

    def on_client_socket_readable(self, conn: TConn, client: socket.socket) -> None:
        """The next request on a connection begins."""
        if not isinstance(conn, _Client):
            super().on_client_socket_readable(conn, client)
            return
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._await_request(conn)

    def finish_request(self, conn: TConn, fs: Any) -> None:
        """Sends the rest of a response, then keeps or closes the connection."""
        if not isinstance(conn, _Client):
            super().finish_request(conn, fs)
            return
        try:
            is_kept = bool(fs.result()) if not fs.cancelled() else False
            conn.sock.settimeout(0.0)
            if conn.sock.take_over is not None and conn.sock.flush():
                self._hand_over(conn)
                return
            self._send_rest(conn, is_kept, conn.sock)
        except Exception:  # noqa: BLE001  as gunicorn: after any error the connection is over
            self._drop(conn)

    def murder_pending(self) -> None:
        """Closes connections whose time limit is over, once a second."""
        super().murder_pending()
        now = time.monotonic()
        if now < self._looked_at + _LOOK_SECONDS:
            return
        self._looked_at = now
        if not self.alive and not self._is_stopping:
            self._is_stopping = True
            self._hurry(now)
        for client in [waiting for waiting in self._waiting if waiting.expires <= now]:
            self._give_up(client)

    def _hurry(self, now: float) -> None:
        """A stopping worker sends responses, and stops waiting for requests."""
        for client in self._waiting:
            if not client.sock.has_unsent:
                client.expires = min(client.expires, now + STOP_KEEPALIVE_LINGER)

    def _give_up(self, client: _Client) -> None:
        """Closes a connection, with status 408 if a request was arriving."""
        self._forget(client)
        if client.sock.arrived and not client.sock.has_unsent:
            with suppress(OSError):
                util.write_error(client.sock, 408, "Request Timeout", "")
        self._drop(client)

    def _await_request(self, client: _Client) -> None:
        client.sock.settimeout(0.0)
        client.expires = time.monotonic() + ARRIVE_SECONDS
        if not self._collect(client):
            self._watch(client, selectors.EVENT_READ, self._on_more)

    def _on_more(self, client: _Client, _socket: socket.socket) -> None:
        self._collect(client, is_watched=True)

    def _collect(self, client: _Client, *, is_watched: bool = False) -> bool:
        """Reads available input; returns whether the loop no longer waits for it."""
        try:
            may_go_on = client.sock.take_in()
            arrival = arrival_of(client.sock)
        except OSError:
            may_go_on, arrival = False, Arrival.INCOMPLETE
            client.sock.arrived.clear()
        if may_go_on and arrival is Arrival.INCOMPLETE:
            return False
        if is_watched:
            self._forget(client)
        if arrival is Arrival.TOO_LARGE:
            with suppress(OSError):
                util.write_error(client.sock, 431, "Request Header Fields Too Large", "")
                client.sock.settimeout(0.0)
            self._send_rest(client, False, client.sock)
        elif client.sock.arrived:
            self.enqueue_req(
                client
            )  # also an incomplete request at the end of input: gunicorn reports the error
        else:
            self._drop(client)
        return True

    def _send_rest(self, client: _Client, is_kept: bool, _socket: socket.socket) -> None:  # noqa: FBT001  a callback's
        """Sends buffered output, and waits for the client while some is left."""
        try:
            is_done = client.sock.flush()
        except OSError:
            self._forget(client)
            self._drop(client)
            return
        client.expires = time.monotonic() + FLUSH_SECONDS
        if is_done:
            self._forget(client)
            self._go_on(client, is_kept)
        elif client not in self._waiting:
            on_room = cast(
                "_Callback", lambda waiting, sock: self._send_rest(waiting, is_kept, sock)
            )
            self._watch(client, selectors.EVENT_WRITE, on_room)

    def _go_on(self, client: _Client, is_kept: bool) -> None:  # noqa: FBT001  as above
        """Waits for the next request, or closes the connection."""
        if not is_kept:
            self._linger(client)
            return
        read_ahead = client.parser.unreader.take_buffered()
        client.sock.arrived[:0] = read_ahead
        if client.sock.arrived:
            self._await_request(client)
            return
        client.set_timeout()
        if not self.alive:
            client.timeout = min(client.timeout, time.monotonic() + STOP_KEEPALIVE_LINGER)
        self.keepalived_conns.append(client)
        on_readable = partial(self.on_client_socket_readable, client)
        self.poller.register(client.sock, selectors.EVENT_READ, on_readable)

    def _linger(self, client: _Client) -> None:
        """Closes our side and lets the client read the answer before the rest is closed."""
        try:
            client.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(client)
            return
        client.sock.arrived.clear()
        client.expires = time.monotonic() + LINGER_SECONDS
        self._watch(client, selectors.EVENT_READ, self._drain)

    def _drain(self, client: _Client, _socket: socket.socket) -> None:
        try:
            goes_on = client.sock.take_in()
        except OSError:
            goes_on = False
        client.drained += len(client.sock.arrived)
        client.sock.arrived.clear()
        if not goes_on or client.drained > _MOST_DRAINED:
            self._forget(client)
            self._drop(client)

    def _watch(self, client: _Client, event: int, then: _Callback) -> None:
        self._waiting[client] = None
        self.poller.register(client.sock, event, partial(then, client))

    def _forget(self, client: _Client) -> None:
        if self._waiting.pop(client, _GONE) is not _GONE:
            self.poller.unregister(client.sock)

    def _hand_over(self, client: _Client) -> None:
        """Leaves the connection to the application, which no longer counts as one of ours."""
        assert client.sock.take_over is not None  # noqa: S101  the caller has checked
        plain = socket.socket(fileno=client.sock.detach())
        self.nr_conns -= 1
        client.sock.take_over(plain)

    def _drop(self, client: _Client) -> None:
        self.nr_conns -= 1
        client.close()


_GONE: Final = object()


def _closing_what_is_unread(application: _Application) -> _Application:
    """Wraps the application so that its response closes the connection if a body is unread.

    gunicorn would close it, too, but announce that it is kept. A response without an end is framed
    by the end of the connection.
    """

    def answering(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        response = start_response.__self__

        def starting(*response_start: Any) -> Any:
            if _has_unread(response.req):
                response.force_close()
            return start_response(*response_start)

        result = application(environ, starting)
        if take_over := getattr(result, "take_over", None):
            environ["gunicorn.socket"].take_over = take_over
            response.chunked = False  # the end of the connection is that of the body
            response.force_close()
        return result

    return answering


def _has_unread(request: Any) -> bool:
    """Whether more of the body is unread than gunicorn skips."""
    reader = request.body.reader
    left = getattr(reader, "length", None)
    if left is not None:
        here = len(request.unreader.buf.getvalue()) + len(
            getattr(request.unreader.sock, "arrived", b"")
        )
        return (
            bool(left) and not left <= here < _MOST_SKIPPED
        )  # gunicorn skips input that has arrived
    return type(reader).__name__ == "ChunkedReader" and reader.parser is not None

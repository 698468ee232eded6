"""Receivers of a SIEM as they are: syslog over TLS and HTTPS, which can be away and come back."""

import json
import re
import socket
import ssl
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

_HEAD: Final = re.compile(
    rb"<(\d+)>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([!-~]+) sabot - ([!-~]{1,32}) - "
)
_PATIENCE: Final = 10


class SyslogServer:
    """Reads octet-counted messages. Each connection is answered as ``ending`` says."""

    def __init__(self, context: ssl.SSLContext, port: int = 0) -> None:
        self._context = context
        self._listening = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listening.getsockname()[1]
        self.heads: list[tuple[int, str, str]] = []
        """Priority, time and message id of each message."""
        self.events: list[dict[str, Any]] = []
        self.connections = 0
        self.refusals: list[str] = []
        """Why handshakes failed."""
        self.says_close_notify = True
        self.reads: int | None = None
        """The octets after which it closes the connection; None for all."""
        self.holds_at: int | None = None
        """The number of the connection of which it reads a part only, until ``may_read``."""
        self.is_holding, self.may_read = Event(), Event()
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def uids(self) -> list[str]:
        """The ids of all events that arrived, in order, with repetitions."""
        return [event["metadata"]["uid"] for event in self.events]

    def stop(self) -> None:
        """Listens no longer."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(_PATIENCE)

    def _serve(self) -> None:
        while True:
            try:
                line, _address = self._listening.accept()
            except OSError:
                return
            line.settimeout(_PATIENCE)
            try:
                with self._context.wrap_socket(line, server_side=True) as tls:
                    self.connections += 1
                    self._receive(tls)
            except OSError as error:
                self.refusals.append(str(error))

    def _receive(self, tls: ssl.SSLSocket) -> None:
        octets = b""
        while piece := tls.recv(1 << 16):
            octets += piece
            if self.connections == self.holds_at:
                self.is_holding.set()
                self.may_read.wait(_PATIENCE)
            if self.reads is not None and len(octets) >= self.reads:
                self._take(octets[: self.reads])
                return
        self._take(octets)
        if self.says_close_notify:
            with suppress(OSError):
                tls.unwrap()

    def _take(self, octets: bytes) -> None:
        """Takes every complete message: its length in octets, a space, the message."""
        while octets:
            length, space, rest = octets.partition(b" ")
            if not space or len(rest) < int(length):
                return
            message, octets = rest[: int(length)], rest[int(length) :]
            head = _HEAD.match(message)
            assert head is not None, message
            self.heads.append((int(head[1]), head[2].decode(), head[4].decode()))
            self.events.append(json.loads(message[head.end() :]))


class HttpServer:
    """Takes arrays of events by POST and answers with ``status``."""

    def __init__(self, context: ssl.SSLContext, port: int = 0) -> None:
        self.events: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.status = 200
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.headers.append(dict(self.headers))
                if outer.status == 200:
                    outer.events += json.loads(body)
                self.send_response(outer.status)
                self.send_header("Location", "https://elsewhere.example/")
                self.end_headers()

            def log_message(self, *_arguments: Any) -> None:
                """Nothing."""

        self._server = _QuietServer(("127.0.0.1", port), Handler)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def uids(self) -> list[str]:
        """The ids of all events that arrived."""
        return [event["metadata"]["uid"] for event in self.events]

    def stop(self) -> None:
        """Listens no longer."""
        self._server.shutdown()
        self._server.server_close()


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_arguments: Any) -> None:
        """Nothing: clients that refuse the certificate end in the handshake."""


def server_context(
    certificate: Path, key: Path, *, clients_of: Path | None = None
) -> ssl.SSLContext:
    """The server's; with ``clients_of`` it demands a certificate of this authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    if clients_of is not None:
        context.load_verify_locations(clients_of)
        context.verify_mode = ssl.CERT_REQUIRED
    return context

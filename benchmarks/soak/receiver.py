"""The receiver of a webhook: a program of the operator that a fault can take down."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Final

ACCEPTS: Final = 204
DOWN: Final = 503
GONE: Final = 410


class Receiver:
    """Counts the events that it has accepted."""

    def __init__(self) -> None:
        self.status = ACCEPTS
        """What it answers."""
        self.events: set[str] = set()
        """The ids of accepted events."""
        self._lock = Lock()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            """Answers each POST with the status in force."""

            def do_POST(self) -> None:
                receiver.take(self)

            def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  theirs
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address: Final = f"http://127.0.0.1:{self._server.server_port}/events"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def take(self, request: BaseHTTPRequestHandler) -> None:
        """Reads an event and answers."""
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        status = self.status
        if status == ACCEPTS:
            with self._lock:
                self.events.add(str(json.loads(body).get("id") or request.headers["webhook-id"]))
        request.send_response(status)
        request.send_header("Content-Length", "0")
        request.end_headers()

    def close(self) -> None:
        """Ends it."""
        self._server.shutdown()
        self._server.server_close()

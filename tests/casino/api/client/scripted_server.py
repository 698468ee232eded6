"""An HTTP server with scripted answers, for failures in front of Sabot."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final, NamedTuple

PROBLEM: Final = "application/problem+json"


class Reply(NamedTuple):
    """A scripted answer; status 0 closes the connection without one."""

    status: int
    body: object = None
    headers: dict[str, str] = {}


class Came(NamedTuple):
    """A received call."""

    path: str
    headers: dict[str, str]
    body: bytes


class Answering:
    """The received calls, and the answers to come."""

    def __init__(self, *replies: Reply) -> None:
        self.came: list[Came] = []
        self.replies = list(replies)
        self.url = ""


@contextmanager
def answering(*replies: Reply) -> Iterator[Answering]:
    """A server that gives these answers in order while the block runs."""
    server_state = Answering(*replies)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            server_state.came.append(Came(self.path, dict(self.headers), body))
            reply = server_state.replies.pop(0)
            if reply.status:
                _answer(self, reply)
            else:
                self.connection.close()

        do_POST = do_GET  # noqa: N815  theirs

        def log_message(self, *_said: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    server_state.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield server_state
    finally:
        server.shutdown()
        server.server_close()


def problem(status: int, slug: str, **headers: str) -> Reply:
    """The body of a problem document."""
    document = {
        "type": f"/api/v1/problems/{slug}",
        "title": slug,
        "status": status,
        "detail": "what helps",
        "instance": "urn:uuid:1",
        "errors": [{"field": "/minutes", "found": 90, "needed": "at most 60"}],
    }
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(status, document, {"Content-Type": PROBLEM, "Request-Id": "17", **named})


def _answer(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
    handler.send_response(reply.status)
    for name, text in {"Content-Length": str(len(content)), **reply.headers}.items():
        handler.send_header(name, text)
    handler.end_headers()
    handler.wfile.write(content)

"""An independent webhook receiver: an HTTP server that verifies signatures."""

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from hmac import compare_digest, new
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, Final, NamedTuple

Answer = Callable[[BaseHTTPRequestHandler, int], int | None]
"""Gives the status for the message of this number, from 0; None where it has answered itself."""
_TOLERANCE_SECONDS: Final = 300


class Message(NamedTuple):
    """A received message: headers in lower case, and the raw body."""

    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        """The id by which duplicates are recognised."""
        return self.headers["webhook-id"]

    @property
    def content(self) -> Any:
        """The parsed body."""
        return json.loads(self.body)

    def is_signed_by(self, secret: str) -> bool:
        """Verifies the signature as the specification says, including the timestamp."""
        moment = self.headers["webhook-timestamp"]
        if abs(time.time() - int(moment)) > _TOLERANCE_SECONDS:
            return False
        content = self.id.encode() + b"." + moment.encode() + b"." + self.body
        key = b64decode(secret.removeprefix("whsec_"))
        expected = b64encode(new(key, content, sha256).digest()).decode()
        offered = [
            signature.split(",", 1) for signature in self.headers["webhook-signature"].split(" ")
        ]
        return any(v == "v1" and compare_digest(expected, text) for v, text in offered)


class Receiver:
    """The received messages, and the answers to come."""

    def __init__(self, answer: Answer) -> None:
        self.messages: list[Message] = []
        self.answer = answer
        self.at_once = self.most_at_once = 0
        self.may_go_on = Event()
        """For answers that wait: set when the test is over."""
        self.url = ""
        self._lock = Lock()

    def ids(self) -> list[str]:
        """The ids of all messages in order, duplicates included."""
        return [message.id for message in self.messages]

    def take(self, handler: BaseHTTPRequestHandler) -> None:
        """Records a message and answers it."""
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        with self._lock:
            number = len(self.messages)
            headers = {name.lower(): text for name, text in handler.headers.items()}
            self.messages.append(Message(headers, body))
            self.at_once += 1
            self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            status = self.answer(handler, number)
        except OSError:
            status = None  # the sender has gone
        finally:
            with self._lock:  # before the answer: the next message may follow at once
                self.at_once -= 1
        if status is not None:
            with suppress(OSError):
                handler.send_response(status)
                handler.send_header("Content-Length", "0")
                handler.end_headers()


@contextmanager
def receiving(answer: Answer | int = 204) -> Iterator[Receiver]:
    """A receiver on localhost while the block runs."""
    receiver = Receiver((lambda _handler, _number: answer) if isinstance(answer, int) else answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            receiver.take(self)

        def log_message(self, *_said: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    try:
        yield receiver
    finally:
        receiver.may_go_on.set()
        server.shutdown()
        server.server_close()

"""Clients that send or read slowly, as those do who want to stop a web server."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

LOGIN: Final = b"POST /admin/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
FORM: Final = b"Content-Type: application/x-www-form-urlencoded\r\n"


class Slow:
    """A kind of slow client: what it sends first, and what it sends now and then."""

    def __init__(self, first: bytes, then: bytes) -> None:
        self.first, self.then = first, then


KINDS: Final = {
    "nothing": Slow(b"", b""),
    "head": Slow(b"GET /admin/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ", b"a"),
    "body of a form": Slow(LOGIN + FORM + b"Content-Length: 60000\r\n\r\nusername=", b"a"),
    "body that is too long": Slow(LOGIN + FORM + b"Content-Length: 900000000\r\n\r\n", b"a"),
    "body in chunks": Slow(LOGIN + FORM + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    "body of a call": Slow(
        b"POST /api/v1/rounds HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 50000\r\n\r\n",
        b" ",
    ),
    "expecting": Slow(
        LOGIN + FORM + b"Content-Length: 50000\r\nExpect: 100-continue\r\n\r\n", b"a"
    ),
    "reading": Slow(b"GET /api/v1/schema HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 8, b""),
}


@contextmanager
def slow_clients(address: str, kind: Slow, number: int) -> Iterator[list[socket.socket]]:
    """This many slow connections until the block ends."""
    host, _colon, port = address.removeprefix("http://").partition(":")
    with ExitStack() as opened:
        clients = []
        for _ in range(number):
            client = opened.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
            client.connect((host, int(port)))
            client.sendall(kind.first)
            clients.append(client)
        over = threading.Event()
        sending = threading.Thread(target=_trickle, args=(clients, kind.then, over))
        sending.start()
        opened.callback(sending.join)
        opened.callback(over.set)
        yield clients


def _trickle(clients: list[socket.socket], then: bytes, over: threading.Event) -> None:
    while not over.wait(0.5):
        for client in clients:
            try:
                client.send(then, socket.MSG_DONTWAIT)
            except OSError:  # it was closed: nothing could be better
                continue

"""Clients that send or read slowly do not block the server (issue 17).

Twenty half-open connections without an account once stopped it.
"""

import http.client
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from benchmarks.web.slow_clients import FORM, KINDS, LOGIN, slow_clients
from casino.webserver.worker import ARRIVE_SECONDS
from tests.casino.api.api_client import TOKENS, a_customer, issued
from tests.casino.api.web_server import served, serving

_ROOMY: Final = 1 << 16


def ask(address: str, path: str = "/api/v1/") -> int:
    """The status of a call on a new connection, which must come soon."""
    with kept_connection(address) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status


@pytest.mark.parametrize("number", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_the_server_keeps_answering(server: str, number: int) -> None:
    """One process of four threads, with slow clients of every kind."""
    for kind in KINDS.values():
        with slow_clients(server, kind, number):
            statuses = [ask(server, path) for path in ("/api/v1/", "/api/v1/problems") * 3]
            assert statuses == [200] * 6
    with ExitStack() as at_once:
        for kind in KINDS.values():
            at_once.enter_context(slow_clients(server, kind, number // 4))
        assert [ask(server) for _ in range(6)] == [200] * 6


@contextmanager
def kept_connection(address: str) -> Iterator[http.client.HTTPConnection]:
    """A keep-alive connection."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    try:
        yield connection
    finally:
        connection.close()


class Answered:
    """A received answer."""

    def __init__(self, octets: bytes) -> None:
        head, _blank, self.body = octets.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        self.status = int(first.split()[1])
        self.headers = dict(line.lower().split(": ", 1) for line in lines)


def exchange(address: str, *sent: bytes, pause: float = 0.0) -> bytes:
    """Everything received until the server closes."""
    host, _colon, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as wire:
        for part in sent:
            wire.sendall(part)
            time.sleep(pause)
        return b"".join(iter(lambda: wire.recv(_ROOMY), b""))


@pytest.fixture(scope="module")
def server(module_casino: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of one process, shared by the tests."""
    with served(tmp_path_factory.mktemp("server"), processes=1) as address:
        yield address


class TestARequest:
    def test_in_single_octets_is_read(self, server: str) -> None:
        """Within the time limit."""
        request = LOGIN + FORM + b"Connection: close\r\nContent-Length: 10\r\n\r\nusername=a"

        answered = Answered(exchange(server, *[request[at : at + 1] for at in range(len(request))]))

        assert answered.status == 403  # no token against forgery: the form was read

    def test_may_be_pipelined(self, server: str) -> None:
        """The second may be split anywhere."""
        first = b"GET /api/v1/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        last = first.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")

        received = exchange(server, first + last[:20], last[20:], pause=0.2)

        assert received.count(b"HTTP/1.1 200 OK") == 2

    def test_that_expects_100_continue_gets_it_once(self, server: str) -> None:
        """As curl sends it."""
        head = (
            LOGIN + FORM + b"Connection: close\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        )

        received = exchange(server, head, b"a=b", pause=0.2)

        assert received.count(b"100 Continue") == 1
        assert b"HTTP/1.1 403" in received

    def test_whose_head_is_too_long_is_refused(self, server: str) -> None:
        """431."""
        head = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-A: " + b"a" * 70_000

        assert Answered(exchange(server, head)).status == 431

    def test_whose_first_line_is_too_long_is_refused(self, server: str) -> None:
        """414."""
        head = b"GET /" + b"a" * 5_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

        assert Answered(exchange(server, head)).status == 414


class TestAnAnswer:
    @pytest.mark.slow
    def test_to_a_slow_reader_is_complete(self, server: str) -> None:
        """The rest is sent later."""
        with kept_connection(server) as connection:
            connection.request("GET", "/api/v1/schema")
            expected = connection.getresponse().read()
        host, _colon, port = server.removeprefix("http://").partition(":")

        with socket.socket() as wire:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 12)
            wire.connect((host, int(port)))
            sent = b"GET /api/v1/schema HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
            wire.sendall(sent)
            time.sleep(1)
            received = b"".join(iter(lambda: wire.recv(_ROOMY), b""))

        assert Answered(received).body == expected
        assert len(expected) > 200_000


class TestAConnection:
    @pytest.mark.parametrize("size", [3, 60_000, 5_000_000])
    def test_stays_usable_after_refusals(self, server: str, size: int) -> None:
        """Keep-alive or an announced close, ten calls in a row."""
        statuses = []
        with kept_connection(server) as connection:
            for _ in range(10):
                connection.putrequest("POST", "/api/v1/rounds")
                connection.putheader("Content-Type", "application/json")
                connection.putheader("Content-Length", str(size))
                connection.endheaders()
                _send_what_is_taken(connection, size)
                answer = connection.getresponse()  # raises where it was closed silently
                statuses.append(answer.status)
                answer.read()

        assert statuses == [401] * 10

    def test_stays_open_when_the_body_was_read(self, server: str) -> None:
        """A refusal does not close it."""
        a_customer()
        headers = {"Authorization": f"Bearer {issued().token}", "Content-Type": "application/json"}
        statuses, body = set(), json.dumps({"customer": "nobody"})
        with kept_connection(server) as connection:
            for number in range(3):
                call_headers = {**headers, "Idempotency-Key": str(number)}
                connection.request("POST", TOKENS, body, call_headers)
                answer = connection.getresponse()
                answer.read()
                statuses.add((answer.status, answer.headers["Connection"]))

        assert statuses == {(422, "keep-alive")}


def _send_what_is_taken(connection: http.client.HTTPConnection, size: int) -> None:
    """Sends a body until it is complete or the server closes."""
    piece = b" " * min(size, _ROOMY)
    try:
        for _ in range(0, size, len(piece)):
            connection.send(piece)
    except (BrokenPipeError, ConnectionResetError):
        return


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_a_stopping_server_does_not_wait_for_them(tmp_path: Path) -> None:
    """Incomplete requests do not delay the stop."""
    with ExitStack() as opened, serving(tmp_path, processes=1) as (address, pid):
        clients = opened.enter_context(slow_clients(address, KINDS["head"], 20))
        assert ask(address) == 200  # by now it has read what they sent before
        os.kill(pid, signal.SIGTERM)
        for client in clients:
            client.settimeout(ARRIVE_SECONDS / 2)
            assert b"408" in client.recv(_ROOMY)

"""A request names the host that it is for (RFC 9112, 3.2)."""

import socket
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

import pytest

from tests.casino.api.web_server import served

_CLOSE: Final = b"Connection: close\r\n\r\n"
_HOST: Final = b"Host: 127.0.0.1\r\n"


@pytest.fixture(scope="module")
def server(module_casino: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of one process."""
    with served(tmp_path_factory.mktemp("server"), processes=1) as address:
        yield address


def answer_to(server: str, request: bytes) -> tuple[int, str]:
    """The status and the body, until the server closes."""
    parts = urlsplit(server)
    with socket.create_connection((parts.hostname, parts.port), timeout=60) as wire:
        wire.sendall(request)
        received = b"".join(iter(lambda: wire.recv(1 << 16), b""))
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode()


@pytest.mark.parametrize("path", [b"/api/v1/", b"/livez", b"http://127.0.0.1/api/v1/"])
def test_without_a_host_it_is_refused_in_words(server: str, path: bytes) -> None:
    """Also where nothing would need one, and where the address has one. The connection ends."""
    status, body = answer_to(server, b"GET " + path + b" HTTP/1.1\r\nAccept: */*\r\n\r\n")

    assert status == 400
    assert body == "Host: found none; needed one, as HTTP/1.1 has it (RFC 9112, 3.2)\n"


def test_with_a_body_it_is_refused_unread(server: str) -> None:
    """What follows is not taken for another request."""
    body = b"GET /api/v1/ HTTP/1.1\r\n" + _HOST + b"\r\n"
    length = f"Content-Length: {len(body)}\r\n\r\n".encode()

    status, text = answer_to(server, b"POST /admin/login/ HTTP/1.1\r\n" + length + body)

    assert status == 400
    assert "HTTP/1.1 200" not in text


@pytest.mark.parametrize("other", [_HOST, b"host: other.example\r\n"])
def test_with_two_hosts_it_is_refused_in_words(server: str, other: bytes) -> None:
    """Whether they differ or not: a proxy may read the other one."""
    status, body = answer_to(server, b"GET /api/v1/ HTTP/1.1\r\n" + _HOST + other + _CLOSE)

    assert status == 400
    assert "HOST" in body


def test_with_one_host_it_is_answered(server: str) -> None:
    """As ever."""
    assert answer_to(server, b"GET /api/v1/ HTTP/1.1\r\n" + _HOST + _CLOSE)[0] == 200


def test_of_http_1_0_needs_none(server: str) -> None:
    """It knows no such field."""
    assert answer_to(server, b"GET /livez HTTP/1.0\r\n\r\n")[0] == 200

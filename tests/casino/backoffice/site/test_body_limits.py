"""No page takes a form apart before it is known how large it is (issue 17).

Found by trying: 800 MiB lay on disk, sent to the login page by somebody who has no account.
"""

import socket
import time
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from casino.backoffice.site.body_limits import OF_A_VISITOR
from casino.webserver.request_head import MOST_WAITED_FOR
from tests.casino.api.serving import served
from tests.casino.backoffice.conftest import person

_MIB: Final = 1 << 20
_PART: Final = (
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n'
    b"Content-Type: application/octet-stream\r\n\r\n"
)
LOGIN: Final = "/admin/login/"


def upload(browser: Client, path: str, size: int, name: str = "file") -> int:
    """The status of the answer to a form with a file of this size."""
    content = b"%PDF-" + b"x" * (size - 5)
    return browser.post(path, {name: SimpleUploadedFile("a.pdf", content)}).status_code


@pytest.mark.usefixtures("fresh_casino")
@pytest.mark.parametrize("length", ["Content-Length: 838860800", "Transfer-Encoding: chunked"])
def test_a_visitor_leaves_nothing_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: str
) -> None:
    """A file of 800 MiB for the login page of the real server: refused by its head alone."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with served(tmp_path, processes=1) as address:
        host, _colon, port = urlsplit(address).netloc.partition(":")
        head = (
            f"POST {LOGIN} HTTP/1.1\r\nHost: {host}\r\n{length}\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\n\r\n"
        ).encode()
        before, seen = set(temporary.iterdir()), set[Path]()
        with socket.create_connection((host, int(port)), timeout=30) as wire:
            wire.sendall(head)
            _send_what_is_taken(wire, _PART, 24, temporary, seen)
            answer = b"".join(iter(lambda: wire.recv(1 << 16), b""))

    assert seen <= before
    status = b"413" if "Content" in length else b"411"
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert b"\r\nConnection: close\r\n" in answer
    assert b"<h1>" in answer


def _send_what_is_taken(
    wire: socket.socket, first: bytes, mebibytes: int, folder: Path, seen: set[Path]
) -> None:
    """Sends so much, or until nobody reads, and looks what lies in the folder meanwhile."""
    piece = b"x" * _MIB
    try:
        wire.sendall(b"%x\r\n" % (len(first) + mebibytes * _MIB) + first)
        for _ in range(mebibytes):
            wire.sendall(piece)
            time.sleep(0.02)
            seen.update(folder.iterdir())
    except (BrokenPipeError, ConnectionResetError):
        return


@pytest.mark.django_db
class TestAVisitor:
    def test_may_send_no_more_than_a_login_needs(self) -> None:
        """An octet more is refused; whatever is within the limit is waited for by no thread."""
        assert upload(Client(), LOGIN, OF_A_VISITOR - 500) != 413
        assert upload(Client(), LOGIN, OF_A_VISITOR) == 413
        assert OF_A_VISITOR <= MOST_WAITED_FOR

    @pytest.mark.parametrize("path", ["/", "/admin/", "/i18n/setlang/", "/nowhere/", LOGIN])
    def test_may_not_anywhere(self, path: str) -> None:
        """Not at addresses either that take files of those who have logged in."""
        assert upload(Client(), path, 2 * _MIB) == 413
        assert upload(Client(), "/admin/feeds/upload/", 2 * _MIB) == 413


@pytest.mark.django_db
class TestSomebodyWhoHasLoggedIn:
    @pytest.fixture
    def desk(self) -> Client:
        """A supervisor's browser."""
        browser = Client()
        browser.cookies["django_language"] = "en"
        browser.force_login(person("supervisor"))
        return browser

    def test_sends_files_where_files_are_taken(self, desk: Client, settings: Settings) -> None:
        """As large as that page takes; beyond that it is refused unread."""
        settings.FEED_UPLOAD_BYTES = 3 * _MIB

        assert upload(desk, "/admin/feeds/upload/", 2 * _MIB) != 413
        assert upload(desk, "/admin/feeds/upload/", 5 * _MIB) == 413
        assert upload(desk, "/admin/lists/limits/import/", 2 * _MIB) != 413
        assert upload(desk, "/admin/lists/limits/import/", 4 * _MIB) == 413

    def test_sends_a_mebibyte_anywhere_else(self, desk: Client) -> None:
        """Forms without files are smaller."""
        assert upload(desk, "/admin/security/confirm/", _MIB // 2) != 413
        assert upload(desk, "/admin/security/confirm/", 2 * _MIB) == 413

    def test_reads_what_is_possible(self, desk: Client) -> None:
        """In words, with the status that programs read."""
        content = SimpleUploadedFile("a", b"x" * 2 * _MIB)

        answer = desk.post("/admin/security/confirm/", {"file": content})

        page = answer.content.decode()
        assert "Request too large" in page
        assert "1.0\xa0MB" in page

    def test_sends_so_many_files_and_fields(self, desk: Client) -> None:
        """More are refused as what they are: too much."""
        many = {f"f{n}": SimpleUploadedFile("a", b"x") for n in range(21)}

        assert desk.post("/admin/feeds/upload/", many).status_code == 413
        fields = {f"f{n}": "x" for n in range(1_001)}
        assert desk.post("/admin/security/confirm/", fields).status_code == 413
        assert User.objects.count() == 1

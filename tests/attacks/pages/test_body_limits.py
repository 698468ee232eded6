"""The size of a request is checked before its body is parsed (issue 17).

Without the check anybody could write 800 MiB to disk through the login page.
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
from tests.casino.api.web_server import served
from tests.casino.backoffice.conftest import person

_MIB: Final = 1 << 20
_PART: Final = (
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n'
    b"Content-Type: application/octet-stream\r\n\r\n"
)
LOGIN: Final = "/admin/login/"


def upload(browser: Client, path: str, size: int, name: str = "file") -> int:
    """The status of a form with a file of this size."""
    content = b"%PDF-" + b"x" * (size - 5)
    return browser.post(path, {name: SimpleUploadedFile("a.pdf", content)}).status_code


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
@pytest.mark.parametrize("length", ["Content-Length: 838860800", "Transfer-Encoding: chunked"])
def test_a_visitor_leaves_nothing_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: str
) -> None:
    """A file of 800 MiB is refused by its headers."""
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
    """Sends until the server closes, and collects the files in the folder."""
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
        """One octet more is refused."""
        assert upload(Client(), LOGIN, OF_A_VISITOR - 500) != 413
        assert upload(Client(), LOGIN, OF_A_VISITOR) == 413
        assert OF_A_VISITOR <= MOST_WAITED_FOR

    @pytest.mark.parametrize("path", ["/", "/admin/", "/i18n/setlang/", "/nowhere/", LOGIN])
    def test_may_not_upload_anywhere(self, path: str) -> None:
        """Not even where logged-in users upload files."""
        assert upload(Client(), path, 2 * _MIB) == 413
        assert upload(Client(), "/admin/feeds/upload/", 2 * _MIB) == 413


@pytest.mark.django_db
class TestALoggedInUser:
    @pytest.fixture
    def desk(self) -> Client:
        """A supervisor's browser."""
        browser = Client()
        browser.cookies["django_language"] = "en"
        browser.force_login(person("supervisor"))
        return browser

    def test_may_upload_up_to_the_pages_limit(self, desk: Client, settings: Settings) -> None:
        """Larger files are refused unread."""
        settings.FEED_UPLOAD_BYTES = 3 * _MIB

        assert upload(desk, "/admin/feeds/upload/", 2 * _MIB) != 413
        assert upload(desk, "/admin/feeds/upload/", 5 * _MIB) == 413
        assert upload(desk, "/admin/lists/limits/import/", 2 * _MIB) != 413
        assert upload(desk, "/admin/lists/limits/import/", 4 * _MIB) == 413

    def test_may_send_a_mebibyte_elsewhere(self, desk: Client) -> None:
        """Forms without files are smaller."""
        assert upload(desk, "/admin/security/confirm/", _MIB // 2) != 413
        assert upload(desk, "/admin/security/confirm/", 2 * _MIB) == 413

    def test_gets_a_page_with_the_limit(self, desk: Client) -> None:
        """With status 413."""
        content = SimpleUploadedFile("a", b"x" * 2 * _MIB)

        answer = desk.post("/admin/security/confirm/", {"file": content})

        page = answer.content.decode()
        assert answer.status_code == 413
        assert "Request too large" in page
        assert "1.0\xa0MB" in page

    def test_may_send_a_limited_number_of_files_and_fields(self, desk: Client) -> None:
        """More are answered 413."""
        many = {f"f{n}": SimpleUploadedFile("a", b"x") for n in range(21)}

        assert desk.post("/admin/feeds/upload/", many).status_code == 413
        fields = {f"f{n}": "x" for n in range(1_001)}
        assert desk.post("/admin/security/confirm/", fields).status_code == 413
        assert User.objects.count() == 1

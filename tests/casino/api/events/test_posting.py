"""A delivery attempt is bounded and never reaches internal addresses (issue 8)."""

import ssl
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pytest_django import Settings

from casino.integrations import post_to_webhook
from casino.integrations.post_to_webhook import post
from casino.integrations.webhook_addresses import checked_url
from rounds.field_errors import InvalidField
from tests.casino.api.events.receiver import receiving

_BODY: Final = b"{}"
_HEADERS: Final = {"webhook-id": "1"}


@pytest.fixture
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the time limit."""
    monkeypatch.setattr(post_to_webhook, "WHOLE_SECONDS", 1.0)


@pytest.mark.usefixtures("_soon")
class TestAReceiverThatTakesLong:
    @pytest.mark.slow
    def test_without_an_answer_times_out(self) -> None:
        """A receiver that never answers fails after the time limit."""
        with receiving() as receiver:
            receiver.answer = lambda _handler, _number: receiver.may_go_on.wait() and None
            began = time.monotonic()
            outcome = post(receiver.url, _BODY, _HEADERS)

        assert outcome == (None, "no answer within 1 seconds")
        assert time.monotonic() - began < 3

    @pytest.mark.slow
    def test_that_answers_slowly_times_out(self) -> None:
        """The limit applies to the whole answer, not to each octet."""

        def drip(handler: BaseHTTPRequestHandler, _number: int) -> None:
            for octet in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100:
                handler.wfile.write(bytes([octet]))
                time.sleep(0.1)

        with receiving(drip) as receiver:
            began = time.monotonic()
            outcome = post(receiver.url, _BODY, _HEADERS)

        assert outcome.status is None
        assert outcome.error.startswith("no answer")
        assert time.monotonic() - began < 3

    def test_may_answer_without_end(self) -> None:
        """Only the beginning of the body is read."""

        def flood(handler: BaseHTTPRequestHandler, _number: int) -> None:
            handler.send_response(200)
            handler.end_headers()
            while not handler.wfile.closed:
                handler.wfile.write(b"x" * 65_536)

        with receiving(flood) as receiver:
            began = time.monotonic()
            outcome = post(receiver.url, _BODY, _HEADERS)

        assert outcome == (200, "")
        assert time.monotonic() - began < 3


class TestTheTimeToConnect:
    @pytest.mark.slow
    def test_is_not_that_to_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A receiver may take longer to answer than to accept the connection."""
        monkeypatch.setattr(post_to_webhook, "CONNECT_SECONDS", 0.5)

        def late(handler: BaseHTTPRequestHandler, _number: int) -> None:
            time.sleep(1)
            handler.send_response(204)
            handler.end_headers()

        with receiving(late) as receiver:
            assert post(receiver.url, _BODY, _HEADERS) == (204, "")


class TestAnAddress:
    @pytest.mark.parametrize(
        "url",
        [
            "http://studio.example/hook",
            "ftp://studio.example/hook",
            "https:///hook",
            "https://user:secret@studio.example/",
            "https://studio.example/#part",
            "https://studio.example:99999/",
            "https://studio.example:0/",
            "https://studio .example/",
            "https://127.0.0.1/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://192.168.1.1/",
            "https://100.64.0.1/",
            "https://0.0.0.0/",
            "https://224.0.0.1/",
            "https://[::1]/",
            "https://[fe80::1]/",
            "https://[fc00::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://[2002:7f00:1::]/",
            "https://[64:ff9b::a00:1]/",
            "https://localhost/",
            "https://wallet/",
            "https://db.internal/",
            "not an address",
            "",
        ],
    )
    def test_that_is_not_public_is_refused(self, url: str, settings: Settings) -> None:
        """Also mapped addresses, and URLs without TLS."""
        settings.WEBHOOKS_TO_LOOPBACK = False

        with pytest.raises(InvalidField) as refusal:
            checked_url(url)
        assert refusal.value.field == "url"

    def test_in_another_spelling_is_checked_when_it_is_called(self, settings: Settings) -> None:
        """Alternative notations of an internal address are refused."""
        settings.WEBHOOKS_TO_LOOPBACK = False

        assert "no public address" in post("https://127.1/", _BODY, _HEADERS).error

    def test_that_is_public_is_accepted(self, settings: Settings) -> None:
        """Path and query are kept. NAT64 contains an IPv4 address, other IPv6 addresses do not."""
        settings.WEBHOOKS_TO_LOOPBACK = False

        for url in (
            "https://studio.example/hook?a=1",
            "https://1.1.1.1:8443/",
            "https://[64:ff9b::808:808]/",
            "https://[2606:4700::a00:1]/",
        ):
            assert checked_url(url) == url

    def test_of_a_name_is_checked_when_it_is_called(self, settings: Settings) -> None:
        """A name that resolves to an internal address is not called."""
        with receiving() as receiver:
            settings.WEBHOOKS_TO_LOOPBACK = False
            outcome = post(receiver.url.replace("127.0.0.1", "localhost"), _BODY, _HEADERS)

        assert "no public address" in outcome.error
        assert receiver.messages == []

    def test_is_called_with_its_path_and_query(self) -> None:
        """The name of the host stands in a header."""
        called: list[str] = []

        def note(handler: BaseHTTPRequestHandler, _number: int) -> int:
            called.append(handler.path)
            return 204

        with receiving(note) as receiver:
            for url in (receiver.url, f"{receiver.url}?a=1", receiver.url.removesuffix("/hook")):
                post(url, _BODY, _HEADERS)

        assert called == ["/hook", "/hook?a=1", "/"]


@pytest.fixture
def certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A TLS receiver with its own certificate for localhost; returns its URL."""
    path = tmp_path / "receiver.pem"
    path.write_bytes(_certificate())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    server = HTTPServer(("127.0.0.1", 0), _Taking)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, daemon=True).start()
    trusting = ssl.create_default_context(cafile=path)
    monkeypatch.setattr(post_to_webhook, "_trust", lambda: trusting)
    yield f"https://localhost:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


class TestACertificate:
    def test_that_is_trusted_and_names_the_host_is_accepted(self, certified: str) -> None:
        """The connection is made to the checked address."""
        assert post(certified, _BODY, _HEADERS) == (204, "")

    def test_of_another_host_is_refused(self, certified: str) -> None:
        """The certificate names localhost only."""
        outcome = post(certified.replace("localhost", "127.0.0.1"), _BODY, _HEADERS)

        assert "CERTIFICATE_VERIFY_FAILED" in outcome.error

    def test_that_is_not_trusted_is_refused(
        self, certified: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Unknown authorities are refused."""
        monkeypatch.setattr(post_to_webhook, "_trust", ssl.create_default_context)

        assert "CERTIFICATE_VERIFY_FAILED" in post(certified, _BODY, _HEADERS).error


class _Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_said: object) -> None:
        return


def _certificate() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return key.private_bytes(pem, *plain) + built.public_bytes(pem)

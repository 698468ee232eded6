"""A video archive: one file over HTTPS, with the byte ranges that players ask for."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import Any, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

VIDEO: Final = Path(__file__).with_name("round.webm").read_bytes()
"""Eight seconds: a test picture with a clock, and a tone."""
_HOST: Final = "127.0.0.1"


@contextmanager
def video_archive(folder: Path) -> Iterator[str]:
    """The origin of an archive that has ``VIDEO`` under every path."""
    server = ThreadingHTTPServer((_HOST, 0), partial(_Archive))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_certificate(folder))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"https://{_HOST}:{server.server_port}"
    server.shutdown()
    server.server_close()


class _Archive(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        requested = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        first, last = int(requested[0] or 0), int(requested[2] or len(VIDEO) - 1)
        part = VIDEO[first : last + 1]
        self.send_response(HTTPStatus.PARTIAL_CONTENT if requested[1] else HTTPStatus.OK)
        self.send_header("Content-Type", "video/webm")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        if requested[1]:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(VIDEO)}")
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_arguments: Any) -> None:
        """Nothing is logged."""


def _certificate(folder: Path) -> Path:
    """A self-signed certificate with its key, in one file."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "video archive")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(_HOST))]), False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "archive.pem"
    pem = serialization.Encoding.PEM
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + certificate.public_bytes(pem))
    return file

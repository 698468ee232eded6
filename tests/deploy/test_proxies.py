"""What the proxies of ``deploy/`` answer themselves: without TLS, with weak TLS, and to TRACE."""

import re
import ssl
import subprocess
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from shutil import which
from typing import Final, NamedTuple

import pytest

from casino.embedded.server_paths import CLONE
from tests.ports import free_port

pytestmark = pytest.mark.slow  # they need nginx and HAProxy, as test_services does
_DEPLOY: Final = CLONE / "deploy"
_HOST: Final = "127.0.0.1"
_SECONDS: Final = 20


class Proxy(NamedTuple):
    """The ports of a running proxy, whose web hosts do not answer."""

    plain: int
    tls: int


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate and its key, of RSA as most are, apart and in one file."""
    folder = tmp_path_factory.mktemp("proxies")
    kind = ("-newkey", "rsa:3072", "-nodes", "-subj", "/CN=sabot.casino.example", "-days", "1")
    files = ("-keyout", folder / "sabot.key", "-out", folder / "sabot.crt")
    command: list[str | Path] = ["openssl", "req", "-x509", *kind, *files]
    subprocess.run(command, check=True, capture_output=True)
    both = [(folder / name).read_text() for name in ("sabot.crt", "sabot.key")]
    (folder / "sabot.pem").write_text("".join(both))
    return folder


@pytest.fixture(params=["nginx", "haproxy"], scope="module")
def proxy(request: pytest.FixtureRequest, folder: Path) -> Iterator[Proxy]:
    """The proxy with its configuration, but for ports and the hosts behind it."""
    assert which(request.param), f"{request.param} is needed: apt-get install nginx-light haproxy"
    ports = Proxy(free_port(), free_port())
    command = {"nginx": _nginx, "haproxy": _haproxy}[request.param](folder, ports, free_port())
    with (folder / f"{request.param}.log").open("w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            _wait_for(ports.tls, running)
            yield ports
        finally:
            running.terminate()
            running.wait()


def _nginx(folder: Path, ports: Proxy, nobody: int) -> list[str | Path]:
    site = (_DEPLOY / "nginx" / "sabot.conf").read_text()
    site = site.replace("/etc/nginx/tls", str(folder)).replace("/var/log/nginx", str(folder))
    site = site.replace("listen 80;", f"listen {_HOST}:{ports.plain};")
    site = site.replace("listen 443 ", f"listen {_HOST}:{ports.tls} ")
    site = re.sub(r"web\d:8000", f"{_HOST}:{nobody}", site)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; events {{}} http {{ {temporary} {site} }}"
    )
    return ["nginx", "-p", folder, "-c", folder / "nginx.conf"]


def _haproxy(folder: Path, ports: Proxy, nobody: int) -> list[str | Path]:
    text = (_DEPLOY / "haproxy" / "haproxy.cfg").read_text()
    text = text.replace("/etc/haproxy/tls/sabot.pem", str(folder / "sabot.pem"))
    text = text.replace("bind :80\n", f"bind {_HOST}:{ports.plain}\n")
    text = text.replace("bind :443 ", f"bind {_HOST}:{ports.tls} ")
    (folder / "haproxy.cfg").write_text(re.sub(r"web\d:8000", f"{_HOST}:{nobody}", text))
    return ["haproxy", "-db", "-f", folder / "haproxy.cfg"]


def _wait_for(port: int, running: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + _SECONDS
    while time.monotonic() < ends:
        assert running.poll() is None, "the proxy has ended"
        try:
            _handshake(port, _client())
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"found no proxy on port {port}")


def _client(ciphers: str = "") -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if ciphers:
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers(ciphers)
    return context


def _handshake(port: int, context: ssl.SSLContext) -> str | None:
    """The version of TLS that is agreed on. Raises ssl.SSLError or ConnectionError."""
    connection = HTTPSConnection(_HOST, port, context=context, timeout=_SECONDS)
    try:
        connection.connect()
        assert isinstance(connection.sock, ssl.SSLSocket)
        return connection.sock.version()
    finally:
        connection.close()


def _answer(connection: HTTPConnection, method: str, path: str) -> HTTPResponse:
    headers = {"Host": "sabot.casino.example", "Authorization": "Bearer secret"}
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_a_person_without_tls_is_led_to_it(proxy: Proxy) -> None:
    """To the same page."""
    answer = _answer(HTTPConnection(_HOST, proxy.plain, timeout=_SECONDS), "GET", "/admin/?q=1")

    assert answer.status == 308
    assert str(answer.headers["Location"]) == "https://sabot.casino.example/admin/?q=1"


def test_a_program_without_tls_is_refused(proxy: Proxy) -> None:
    """Followed, a redirect would hide that its key was sent in clear text."""
    plain = HTTPConnection(_HOST, proxy.plain, timeout=_SECONDS)
    answer = _answer(plain, "POST", "/api/v1/rounds")

    assert (answer.status, answer.headers["Location"]) == (403, None)


def test_trace_is_refused(proxy: Proxy) -> None:
    """It would show a script the headers of its own request."""
    tls = HTTPSConnection(_HOST, proxy.tls, context=_client(), timeout=_SECONDS)

    assert _answer(tls, "TRACE", "/admin/").status == 405


def test_tls_has_forward_secrecy_and_authenticated_encryption(proxy: Proxy) -> None:
    """With TLS 1.2 by the list of ciphers, with TLS 1.3 always; that is preferred."""
    assert _handshake(proxy.tls, _client()) == "TLSv1.3"
    assert _handshake(proxy.tls, _client("ECDHE-RSA-AES128-GCM-SHA256")) == "TLSv1.2"
    for weak in ("AES256-GCM-SHA384", "ECDHE-RSA-AES256-SHA384", "DHE-RSA-AES256-GCM-SHA384"):
        with pytest.raises(ssl.SSLError):
            _handshake(proxy.tls, _client(weak))

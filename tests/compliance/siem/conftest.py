"""A SIEM of this machine, with certificates that the test makes, and a log to send."""

from collections.abc import Callable, Iterator
from pathlib import Path
from ssl import SSLContext

import pytest

from compliance.siem.syslog import SyslogReceiver
from compliance.siem.tls import client_context
from tests.certificates import Authority
from tests.compliance.siem.siem_servers import HttpServer, SyslogServer, server_context


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """The authority whose file the client has."""
    return Authority(tmp_path)


@pytest.fixture
def trusted(authority: Authority) -> SSLContext:
    """The context of a client that trusts this authority."""
    return client_context(authority=str(authority.file), certificate="", key="")


@pytest.fixture
def serving(authority: Authority) -> Iterator[Callable[..., SyslogServer]]:
    """Starts syslog servers, as ``localhost`` by default; they stop with the test."""
    servers: list[SyslogServer] = []

    def start(*, port: int = 0, context: SSLContext | None = None) -> SyslogServer:
        own = context or server_context(*authority.issue("localhost"))
        servers.append(SyslogServer(own, port))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def http(authority: Authority) -> Iterator[HttpServer]:
    """An HTTPS server as ``localhost``."""
    server = HttpServer(server_context(*authority.issue("localhost")))
    yield server
    server.stop()


@pytest.fixture
def syslog(serving: Callable[..., SyslogServer]) -> SyslogServer:
    """A syslog server as ``localhost``."""
    return serving()


@pytest.fixture
def receiver(syslog: SyslogServer, trusted: SSLContext) -> SyslogReceiver:
    """The client's side of it."""
    return SyslogReceiver("localhost", syslog.port, trusted)

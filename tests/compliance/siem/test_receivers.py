"""Sending to real servers: what they get, and what counts as not sent."""

import socket
from collections.abc import Callable
from pathlib import Path
from ssl import SSLContext
from threading import Thread
from urllib.parse import urlsplit

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from compliance.siem.https import HttpReceiver
from compliance.siem.receivers import configured_receivers
from compliance.siem.syslog import SyslogReceiver
from compliance.siem.tls import NotSent, client_context
from compliance.trail.log.whole_log import WholeRecord
from tests.certificates import Authority
from tests.compliance.siem.siem_servers import HttpServer, SyslogServer, server_context
from tests.compliance.siem.test_mapping import record_of
from tests.ports import free_port

RECORD = record_of("LOGGED_IN", {"account": "zoë"})
Serving = Callable[..., SyslogServer]


def many(number: int) -> list[WholeRecord]:
    """So many records."""
    return [RECORD._replace(leaf=leaf) for leaf in range(number)]


class TestSyslog:
    def test_arrives_as_counted_messages(
        self, syslog: SyslogServer, receiver: SyslogReceiver
    ) -> None:
        """13 (log audit) * 8 + 6 (informational); the server counts octets and parses the head."""
        receiver.send(many(1_000))

        assert [event["metadata"]["sequence"] for event in syslog.events] == list(range(1_000))
        assert set(syslog.heads) == {(110, "2026-11-21T22:00:00.123456Z", "LOGGED_IN")}
        assert syslog.events[0]["user"]["name"] == "zoë"
        assert syslog.connections == 1

    def test_has_a_level_by_its_severity(
        self, syslog: SyslogServer, receiver: SyslogReceiver
    ) -> None:
        """A critical event has 2."""
        receiver.send([record_of("SCHEMA_DIFFERS", {"count": 3}), record_of("ç 7\n", {})])

        assert [head[0] for head in syslog.heads] == [106, 108]

    def test_to_a_receiver_that_reads_a_part_is_not_sent(
        self, syslog: SyslogServer, receiver: SyslogReceiver
    ) -> None:
        """It died with the rest in its buffers."""
        syslog.reads = 50_000

        with pytest.raises(NotSent):
            receiver.send(many(1_000))

    def test_to_a_receiver_without_close_notify_is_not_sent(
        self, syslog: SyslogServer, receiver: SyslogReceiver
    ) -> None:
        """The end of TCP can be forged, that of TLS cannot."""
        syslog.says_close_notify = False

        with pytest.raises(NotSent, match="without close_notify"):
            receiver.send(many(3))

    def test_to_nobody_is_not_sent(self, trusted: SSLContext) -> None:
        """Refused, or a name that nobody has."""
        with pytest.raises(NotSent, match="ConnectionRefusedError"):
            SyslogReceiver("localhost", free_port(), trusted).send(many(1))
        with pytest.raises(NotSent):
            SyslogReceiver("." * 70, 6514, trusted).send(many(1))


class TestCertificates:
    def test_of_another_authority_are_refused(
        self, serving: Serving, tmp_path: Path, trusted: SSLContext
    ) -> None:
        """Before anything is sent."""
        (tmp_path / "other").mkdir()
        other = Authority(tmp_path / "other", name="other")
        server = serving(context=server_context(*other.issue("localhost")))

        with pytest.raises(NotSent, match="nothing was sent: unable to get local issuer"):
            SyslogReceiver("localhost", server.port, trusted).send(many(1))

        assert server.events == []

    def test_of_another_host_are_refused(
        self, serving: Serving, authority: Authority, trusted: SSLContext
    ) -> None:
        """Though the authority is the right one."""
        server = serving(context=server_context(*authority.issue("other.example")))

        with pytest.raises(NotSent, match="nothing was sent: Hostname mismatch"):
            SyslogReceiver("localhost", server.port, trusted).send(many(1))

        assert server.events == []

    def test_that_have_expired_are_refused(
        self, serving: Serving, authority: Authority, trusted: SSLContext
    ) -> None:
        """Yesterday."""
        server = serving(context=server_context(*authority.issue("localhost", days=-1)))

        with pytest.raises(NotSent, match="nothing was sent: certificate has expired"):
            SyslogReceiver("localhost", server.port, trusted).send(many(1))

        assert server.events == []

    def test_are_needed(self, trusted: SSLContext) -> None:
        """A server without TLS gets the beginning of a handshake and no event."""
        got = list[bytes]()

        def answer() -> None:
            line, _address = plain.accept()
            with line:
                got.append(line.recv(1 << 16))
                line.sendall(b"220 ready\r\n")

        with socket.create_server(("127.0.0.1", 0)) as plain:
            thread = Thread(target=answer)
            thread.start()
            with pytest.raises(NotSent, match="SSLError"):
                SyslogReceiver("localhost", plain.getsockname()[1], trusted).send(many(1))
            thread.join()

        assert got[0][0] == 22  # a record of a handshake
        assert b"class_uid" not in got[0]

    def test_of_the_client_are_shown(self, serving: Serving, authority: Authority) -> None:
        """To a server that demands one; without it nothing is sent."""
        context = server_context(*authority.issue("localhost"), clients_of=authority.file)
        server = serving(context=context)
        certificate, key = map(str, authority.issue("sabot.example"))
        known = client_context(authority=str(authority.file), certificate=certificate, key=key)
        unknown = client_context(authority=str(authority.file), certificate="", key="")

        SyslogReceiver("localhost", server.port, known).send(many(2))
        with pytest.raises(NotSent):
            SyslogReceiver("localhost", server.port, unknown).send(many(2))

        assert len(server.events) == 2


class TestHttp:
    def receiver(self, server: HttpServer, trusted: SSLContext) -> HttpReceiver:
        """The client's side of it."""
        url = urlsplit(f"https://localhost:{server.port}/events?source=sabot")
        return HttpReceiver(url, trusted, authorization="Bearer secret")

    def test_arrives_as_an_array(self, http: HttpServer, trusted: SSLContext) -> None:
        """With the token."""
        self.receiver(http, trusted).send(many(700))

        assert [event["metadata"]["sequence"] for event in http.events] == list(range(700))
        assert http.headers[0]["Authorization"] == "Bearer secret"
        assert http.headers[0]["Content-Type"] == "application/json"

    @pytest.mark.parametrize("status", [302, 401, 413, 429, 503])
    def test_that_is_answered_otherwise_is_not_sent(
        self, http: HttpServer, trusted: SSLContext, status: int
    ) -> None:
        """Nor is a redirect followed."""
        http.status = status

        with pytest.raises(NotSent, match=f"it answered {status}; needed 2xx"):
            self.receiver(http, trusted).send(many(1))

    def test_to_another_certificate_is_not_sent(self, http: HttpServer) -> None:
        """The machine does not trust the test's authority."""
        machine = client_context(authority="", certificate="", key="")

        with pytest.raises(NotSent, match="certificate is refused, nothing was sent"):
            self.receiver(http, machine).send(many(1))

        assert http.headers == []


class TestTheSettings:
    def test_name_both_receivers(self, settings: Settings, authority: Authority) -> None:
        """The port of syslog over TLS is 6514, unless another is named."""
        settings.SIEM_CA_FILE = str(authority.file)
        settings.SIEM_SYSLOG = "siem.example"
        settings.SIEM_HTTP_URL = "https://siem.example/secret-path"

        names = [str(receiver) for receiver in configured_receivers()]

        assert names == ["syslog siem.example:6514", "http siem.example:443"]

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("SIEM_SYSLOG", "tcp://siem.example:6514"),
            ("SIEM_SYSLOG", "siem.example:port"),
            ("SIEM_SYSLOG", "user@siem.example:6514"),
            ("SIEM_HTTP_URL", "http://127.0.0.1:8088/events"),
            ("SIEM_HTTP_URL", "https://user:password@siem.example/"),
            ("SIEM_HTTP_URL", "https:///events"),
            ("SIEM_HTTP_URL", "https://siem.example:99999/"),
            ("SIEM_HTTP_AUTHORIZATION", "Bearer a\r\nHost: b"),
            ("SIEM_CA_FILE", "/nowhere.pem"),
            ("SIEM_CLIENT_CERTIFICATE", "/nowhere.pem"),
        ],
    )
    def test_that_are_wrong_are_named(self, settings: Settings, name: str, value: str) -> None:
        """Plain HTTP too, on this machine as well."""
        settings.SIEM_HTTP_URL = "https://siem.example/"
        setattr(settings, name, value)

        with pytest.raises(ImproperlyConfigured, match=name):
            configured_receivers()

    def test_that_name_nobody_are_an_error(self) -> None:
        """The process would do nothing."""
        with pytest.raises(ImproperlyConfigured, match="found neither; needed one"):
            configured_receivers()

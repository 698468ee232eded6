"""Which connections the settings leave in clear text, or to a server that proves no name."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings as configured
from environ import Env
from pytest_django import Settings

from casino.databases import databases
from casino.embedded.server_paths import CLONE
from casino.operations.checks.clear_text import clear_text_connections
from tests.casino.operations.check_results import ERROR, OK, WARNING, found

_SECRET: Final = "secret-word"  # noqa: S105  of nothing
_TO_ELSEWHERE: Final = {
    "DATABASE_URL": f"postgres://sabot:{_SECRET}@db.example/sabot",
    "CELERY_BROKER_URL": f"amqp://sabot:{_SECRET}@rabbit.example/sabot",
    "EMAIL_URL": f"smtp://sabot:{_SECRET}@mail.example:25",
    "CLAMD": "tcp:scanner.example:3310",
    "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector.example:4318",
    "ARCHIVE_BUCKET": "s3://sabot-archive",
    "AWS_ENDPOINT_URL_S3": "http://store.example:9000",
}
_HOSTS: Final = (
    "db.example,rabbit.example,mail.example,scanner.example,collector.example,store.example"
)
_VERIFIED: Final = "sslmode=verify-full"


def named() -> list[tuple[str, str]]:
    """The variables and hosts at fault."""
    return [(connection.variable, connection.host) for connection in clear_text_connections()]


class TestADatabase:
    @pytest.mark.parametrize(
        ("place", "hosts"),
        [
            ("/sabot?host=/var/run/postgresql", []),
            ("localhost/sabot", []),
            ("127.0.0.1:6432/sabot", []),
            ("[::1]:5432/sabot", []),
            ("db.example/sabot", ["db.example"]),
            ("192.0.2.7/sabot", ["192.0.2.7"]),
            ("db.example/sabot?sslmode=require", ["db.example"]),
            ("db.example/sabot?sslmode=verify-ca", ["db.example"]),
            (f"db.example/sabot?{_VERIFIED}", []),
            ("127.0.0.1:5432,db2.example:5432/sabot", ["db2.example"]),
            ("db1.example:5432,db2.example:5432/sabot", ["db1.example", "db2.example"]),
            (f"db1.example:5432,db2.example:5432/sabot?{_VERIFIED}", []),
            ("localhost/sabot?hostaddr=192.0.2.7", ["192.0.2.7"]),
            ("/sabot?service=casino", ["service=casino"]),
            (f"/sabot?service=casino&{_VERIFIED}", []),
        ],
    )
    def test_elsewhere_has_to_prove_its_name(
        self, monkeypatch: pytest.MonkeyPatch, place: str, hosts: list[str]
    ) -> None:
        """Source: libpq, sslmode: only verify-full compares the name of the server."""
        url = f"postgres://sabot:{_SECRET}@{place}"
        at = databases(Env.db_url_config(url), replica_url=url, direct_url=url)
        for alias, config in at.items():
            monkeypatch.setitem(configured.DATABASES, alias, config)

        variables = ("DATABASE_URL", "DATABASE_REPLICA_URL", "DATABASE_DIRECT_URL")
        assert named() == [(variable, host) for variable in variables for host in hosts]

    def test_may_be_named_by_the_environment_of_libpq(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Where the URL names no host, libpq takes PGHOST; PGSSLMODE holds as in the URL."""
        at = databases(Env.db_url_config("postgres:///sabot"))
        monkeypatch.setitem(configured.DATABASES, "default", at["default"])
        nowhere = named()
        monkeypatch.setenv("PGHOST", "db.example")
        elsewhere = named()
        monkeypatch.setenv("PGSSLMODE", "verify-full")

        assert (nowhere, elsewhere, named()) == ([], [("DATABASE_URL", "db.example")], [])


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("redis+socket:///run/valkey.sock?virtual_host=0", []),
        ("amqp://guest:guest@127.0.0.1:5672//", []),
        ("redis://localhost:6379/0", []),
        ("amqp://sabot@127.0.0.1/v;amqp://sabot@rabbit2.example/v", ["rabbit2.example"]),
        ("redis://valkey.example:6379/0", ["valkey.example"]),
        ("sentinel://valkey.example:26379/0", ["valkey.example"]),
        ("amqps://sabot@rabbit1.example/v;amqps://sabot@rabbit2.example/v", []),
        ("rediss://valkey.example:6380/0", []),
        ("amqps://sabot@rabbit1.example/v;amqp://sabot@rabbit2.example/v", ["rabbit2.example"]),
        # Celery has one set of options, that of the first node: it would verify neither.
        ("amqp://sabot@127.0.0.1/v;amqps://sabot@rabbit2.example/v", ["rabbit2.example"]),
        # The library prefers options of the URL to those that Sabot sets.
        ("rediss://valkey.example:6380/0?ssl_cert_reqs=none", ["valkey.example"]),
    ],
)
def test_each_node_of_a_broker_elsewhere_needs_tls(
    settings: Settings, url: str, hosts: list[str]
) -> None:
    """With a verified name, which Sabot's own options see to."""
    settings.CELERY_BROKER_URL = url

    assert named() == [("CELERY_BROKER_URL", host) for host in hosts]


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("consolemail://", []),
        ("filemail:///var/mail", []),
        ("smtp://localhost:25", []),
        ("smtp://mail.example:587", ["mail.example"]),
        ("smtp+tls://mail.example:587", []),
        ("smtp+ssl://mail.example:465", []),
    ],
)
def test_a_mail_server_elsewhere_needs_tls(settings: Settings, url: str, hosts: list[str]) -> None:
    """From the start, or by STARTTLS, without which Django's client sends nothing."""
    for name, value in {"EMAIL_USE_TLS": False, **Env.email_url_config(url)}.items():
        setattr(settings, name, value)

    assert named() == [("EMAIL_URL", host) for host in hosts]


@pytest.mark.parametrize(
    ("address", "hosts"),
    [
        ("", []),
        ("unix:/run/clamav/clamd.ctl", []),
        ("tcp:127.0.0.1:3310", []),
        ("tcp:::1:3310", []),
        ("tcp:scanner.example:3310", ["scanner.example"]),
    ],
)
def test_a_scanner_is_on_this_host(settings: Settings, address: str, hosts: list[str]) -> None:
    """Its protocol has no TLS, and evidence is personal."""
    settings.CLAMD = address

    assert named() == [("CLAMD", host) for host in hosts]


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("http://127.0.0.1:4318", []),
        ("https://collector.example", []),
        ("http://collector.example:4318", ["collector.example"]),
    ],
)
def test_a_collector_elsewhere_needs_tls(settings: Settings, url: str, hosts: list[str]) -> None:
    """Traces have the ids of rounds and cases."""
    settings.TRACES, settings.TRACES_ENDPOINT = True, url

    assert named() == [("OTEL_EXPORTER_OTLP_ENDPOINT", host) for host in hosts]


@pytest.mark.parametrize(
    ("bucket", "url", "hosts"),
    [
        ("", "http://store.example:9000", []),
        ("s3://sabot-archive", "", []),
        ("s3://sabot-archive", "https://store.example", []),
        ("s3://sabot-archive", "http://127.0.0.1:9000", []),
        ("s3://sabot-archive", "http://store.example:9000", ["store.example"]),
        ("s3://sabot-archive", "HTTP://store.example:9000", ["store.example"]),
    ],
)
def test_a_bucket_elsewhere_needs_tls(
    settings: Settings, bucket: str, url: str, hosts: list[str]
) -> None:
    """At Amazon it has; an endpoint is of other programs where no bucket is set."""
    settings.ARCHIVE_BUCKET, settings.ARCHIVE_ENDPOINT = bucket, url

    assert named() == [("AWS_ENDPOINT_URL_S3", host) for host in hosts]


def test_hosts_can_be_vouched_for_by_name(settings: Settings) -> None:
    """Of two nodes the one that is not listed is still at fault."""
    settings.CELERY_BROKER_URL = "amqp://rabbit1.example/v;amqp://RABBIT2.example/v"
    settings.CLEAR_TEXT_HOSTS = ["Rabbit1.example"]
    one = named()
    settings.CLEAR_TEXT_HOSTS = ["rabbit1.example", "rabbit2.example"]

    assert (one, named()) == ([("CELERY_BROKER_URL", "rabbit2.example")], [])


def test_doctor_names_the_variables(settings: Settings) -> None:
    """A demo may go on; nothing else starts."""
    fine = found("clear text")
    settings.CLAMD = _TO_ELSEWHERE["CLAMD"]
    of_a_demo = found("clear text")
    settings.DEMO = False

    assert fine == (OK, "TLS, verified, or on this host")
    assert of_a_demo == (WARNING, "clear text by CLAMD")
    assert found("clear text") == (ERROR, "clear text by CLAMD")


class TestAProcess:
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where it leaves its files: beat opens that of its schedule before it is asked."""
        monkeypatch.chdir(tmp_path)

    def refused(self, *command: str, **changed: str) -> str | None:
        """What it says when it does not start; None if it starts."""
        environment = {"DEMO": "false", "SECRET_KEY": "k" * 25 + "ey" * 13, **_TO_ELSEWHERE}
        completed = subprocess.run(
            [sys.executable, "-m", *command],
            env={**os.environ, "PYTHONPATH": str(CLONE), **environment, **changed},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        is_refused = "Sabot does not start" in completed.stderr
        assert _SECRET not in completed.stderr + completed.stdout
        assert completed.returncode == int(is_refused), completed.stderr
        return completed.stderr if is_refused else None

    def test_names_each_variable(self) -> None:
        """With the host, what was found and what is needed, and no password."""
        refusal = self.refused("casino", "serve_metrics", "--port=9400")

        assert refusal is not None
        assert "DATABASE_URL: found sslmode=prefer to db.example; needed sslmode=verif" in refusal
        assert "CELERY_BROKER_URL: found amqp:// to rabbit.example; needed amqps:// or" in refusal
        assert "EMAIL_URL: found smtp:// to mail.example; needed smtp+tls:// or smtp+s" in refusal
        assert "CLAMD: found tcp: to scanner.example; needed unix:/PATH of a scanner on" in refusal
        assert "OTEL_EXPORTER_OTLP_ENDPOINT: found http:// to collector.example; needed" in refusal
        assert "AWS_ENDPOINT_URL_S3: found http:// to store.example; needed https://" in refusal

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "command",
        [
            pytest.param(("gunicorn", "casino.wsgi", "--check-config"), marks=pytest.mark.slow),
            pytest.param(("celery", "-A", "casino", "beat"), marks=pytest.mark.slow),
            ("celery", "-A", "casino", "worker", "--pool", "solo"),
            ("casino", "ingest", "-"),
            ("casino", "send_audit_events"),
        ],
        ids=["web", "beat", "worker", "ingest", "siem"],
    )
    def test_of_every_kind_refuses(self, command: tuple[str, ...]) -> None:
        """Before it has connected to any of these hosts, which do not exist."""
        assert self.refused(*command)

    @pytest.mark.slow
    def test_that_connects_to_nobody_starts(self) -> None:
        """Static files are made while an image is built, for a database that is elsewhere."""
        assert self.refused("casino", "check", "--tag=caches") is None

    @pytest.mark.slow
    def test_starts_where_each_host_is_vouched_for(self) -> None:
        """A mesh or WireGuard encrypts. A demo starts without."""
        command = ("casino", "make_log_key", "--help")

        assert self.refused(*command)
        assert self.refused(*command, CLEAR_TEXT_HOSTS=_HOSTS) is None
        assert self.refused(*command, DEMO="true") is None

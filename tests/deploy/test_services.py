"""The units, proxies and environment files of ``deploy/`` are valid, tight and complete."""

import re
import subprocess
from pathlib import Path
from shutil import which
from typing import Final
from urllib.parse import urlsplit

import pytest
from django.conf import settings as configured
from environ import Env
from pytest_django import Settings

from casino import settings as documented_settings
from casino.embedded.server_paths import CLONE
from casino.operations.checks.clear_text import clear_text_connections
from compliance.storage.database_roles.role import DatabaseRole

DEPLOY: Final = CLONE / "deploy"
_PACKAGES: Final = "nginx-light haproxy systemd openssl"
UNITS: Final = sorted(path.name for path in (DEPLOY / "systemd").glob("*.service"))
_SETTING: Final = re.compile(r"^([A-Z][A-Z_]+)=", re.MULTILINE)
_URL: Final = re.compile(r'^\w+_URL="?([a-z+]+://[^"\n]+)"?$', re.MULTILINE)
_OF_UNITS: Final = {"METRICS_ADDRESS", "WEB_BIND", "WEB_PROCESSES", "WORKER_PROCESSES"}
"""Variables of the environment files that only the units use."""


def output_of(*command: str | Path) -> str:
    """What a command prints on both outputs; it must succeed."""
    program = command[0]
    assert which(program), (
        f"{program} is needed: apt-get install nginx-light haproxy systemd openssl"
    )
    completed = subprocess.run(command, capture_output=True, text=True, check=False)
    printed = completed.stdout + completed.stderr
    assert completed.returncode == 0, printed
    return printed


@pytest.fixture
def host(tmp_path: Path) -> Path:
    """The root of a host with the units, and programs where the package puts them."""
    units = tmp_path / "etc" / "systemd" / "system"
    units.parent.mkdir(parents=True)
    output_of("cp", "-r", DEPLOY / "systemd", units)
    programs = tmp_path / "opt" / "sabot" / "bin"
    programs.mkdir(parents=True)
    for name in ("celery", "gunicorn", "sabot-manage"):
        (programs / name).touch(mode=0o755)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_a_service_is_hardened(host: Path, unit: str) -> None:
    """An exposure of at most 2.0, of 10, by systemd's own count."""
    options = ("--offline=true", f"--root={host}", "--threshold=20", "--no-pager")

    printed = output_of("systemd-analyze", "security", *options, unit)

    assert "Overall exposure level" in printed


@pytest.mark.slow
def test_units_are_valid() -> None:
    """Known options only; the programs are those of an installation, which is not here."""
    units = [str(DEPLOY / "systemd" / unit) for unit in UNITS]
    command = ["systemd-analyze", "verify", "--man=no", *units]

    completed = subprocess.run(command, capture_output=True, text=True, check=False)

    lines = [line for line in completed.stderr.splitlines() if "sabot" in line]
    assert [line for line in lines if "is not executable: No such file" not in line] == []


def test_each_kind_of_process_has_a_unit() -> None:
    """The commands of docs/operations.md that keep running, but for the feed host's ``ingest``."""
    guide = (CLONE / "docs" / "operations.md").read_text()
    queues = set(re.findall(r"--queues ([a-z-]+)", guide))
    units = "".join((DEPLOY / "systemd" / unit).read_text() for unit in UNITS)

    assert queues == set(re.findall(r"--queues ([a-z-]+)", units))
    assert {"casino worker", "casino beat", "casino.wsgi"} <= set(
        re.findall(r"casino worker|casino beat|casino\.wsgi", units)
    )


def test_environment_files_have_settings_that_exist() -> None:
    """Each is in the table of casino/settings/ or in a unit."""
    table = documented_settings.__doc__
    assert table
    documented = set(re.findall(r"\b[A-Z][A-Z_]{4,}\b", table)) | _OF_UNITS
    files = list((DEPLOY / "environment").glob("*.env"))
    named = {name for file in files for name in _SETTING.findall(file.read_text())}

    assert {"DATABASE_URL", "SECRET_KEY", "TRUSTED_PROXIES"} <= named
    assert named - documented == set()


def test_environment_files_have_no_clear_text(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """An installation would not start with it; the hosts of the files are others."""
    files = (DEPLOY / "environment").glob("*.env")
    values = [value for file in files for value in _URL.findall(file.read_text())]
    by_scheme = {urlsplit(value).scheme: value for value in values}
    settings.CELERY_BROKER_URL = by_scheme["amqps"]
    for name, value in Env.email_url_config(by_scheme["smtp+tls"]).items():
        setattr(settings, name, value)
    databases = [value for value in values if value.startswith("postgres://")]

    for url in databases:
        monkeypatch.setitem(configured.DATABASES, "default", Env.db_url_config(url))
        assert list(clear_text_connections()) == []

    assert len(databases) == len(DatabaseRole) + len({"owner", "replica"})


def test_each_service_reads_the_secrets_of_its_database_role_only() -> None:
    """The database role in its environment file is that of its account."""
    for unit in (unit for unit in UNITS if unit.startswith("sabot-")):
        text = (DEPLOY / "systemd" / unit).read_text()
        [account], [file] = (
            re.findall(r"User=(.+)", text),
            re.findall(r"File=/etc/sabot/(.+)", text),
        )
        role = re.search(
            r"DATABASE_URL=postgres://(\w+):", (DEPLOY / "environment" / file).read_text()
        )
        assert role is not None
        expected = "sabot_worker" if account == "sabot-beat" else account.replace("-", "_")
        assert role[1] == expected


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate and its key in one file, for a proxy to load."""
    key, crt, both = (tmp_path / name for name in ("sabot.key", "sabot.crt", "sabot.pem"))
    subject = ("-subj", "/CN=sabot.casino.example", "-days", "1")
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    output_of("openssl", "req", "-x509", *kind, *subject, "-keyout", key, "-out", crt)
    both.write_text(crt.read_text() + key.read_text())
    return both


@pytest.mark.slow
def test_nginx_accepts_its_configuration(certificate: Path) -> None:
    """With a certificate, and hosts that have addresses."""
    folder = certificate.parent
    site = (DEPLOY / "nginx" / "sabot.conf").read_text()
    site = site.replace("/etc/nginx/tls", str(folder)).replace("/var/log/nginx", str(folder))
    site = re.sub(r"server web(\d)", r"server 127.0.0.\1", site)
    (folder / "site.conf").write_text(site)
    whole = folder / "nginx.conf"
    whole.write_text(
        f"pid {folder}/pid; error_log stderr; events {{}} http {{ include {folder}/site.conf; }}"
    )

    assert "test is successful" in output_of("nginx", "-t", "-p", folder, "-c", whole)


@pytest.mark.slow
def test_haproxy_accepts_its_configuration(certificate: Path) -> None:
    """The same."""
    text = (DEPLOY / "haproxy" / "haproxy.cfg").read_text()
    text = text.replace("/etc/haproxy/tls/sabot.pem", str(certificate))
    file = certificate.parent / "haproxy.cfg"
    file.write_text(re.sub(r"web(\d):8000", r"127.0.0.\1:8000", text))

    output_of("haproxy", "-c", "-f", file)


@pytest.mark.slow
def test_accounts_and_folders_can_be_made(tmp_path: Path) -> None:
    """On a host that has none of them; each service's account is among them."""
    (tmp_path / "etc").mkdir()
    output_of("systemd-sysusers", f"--root={tmp_path}", DEPLOY / "sysusers.d" / "sabot.conf")

    accounts, groups = ((tmp_path / "etc" / name).read_text() for name in ("passwd", "group"))

    units = "".join((DEPLOY / "systemd" / unit).read_text() for unit in UNITS)
    for account in set(re.findall(r"User=(.+)", units)):
        assert f"{account}:" in accounts
    folders = (DEPLOY / "tmpfiles.d" / "sabot.conf").read_text()
    made = set(re.findall(r"^sabot-\w+", accounts + groups, re.MULTILINE))
    assert set(re.findall(r" (sabot-\w+)", folders)) <= made

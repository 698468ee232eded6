"""Outside of a demo nothing starts with the settings of one, and everything is by HTTPS."""

import os
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from secrets import token_urlsafe
from typing import Any, Final

import pytest
from pytest_django import Settings

from casino.embedded.server_paths import CLONE
from casino.operations.safe_start import refuse_unsafe_settings
from compliance.storage.database_roles.role import DatabaseRole
from tests.casino.api.web_server import answers_at, serving
from tests.processes import environment_of

_SAFE: Final = {
    "DEMO": "false",
    "SECRET_KEY": token_urlsafe(50),
    "ALLOWED_HOSTS": "127.0.0.1",
    "SIGNING_KEY_ROOTS": "",
    "TRUSTED_PROXIES": "1",
}
_DJANGO: Final = {"DJANGO_SETTINGS_MODULE": "casino.settings"}
_WEB: Final = ("-m", "gunicorn", "casino.wsgi", "--check-config")
_WORKER: Final = ("-m", "celery", "-A", "casino", "worker", "--pool", "solo")
_SHOW_COOKIES: Final = """
from django.conf import settings
for name in dir(settings):
    if "_COOKIE_" in name:
        print(f"{name} = {getattr(settings, name)!r}")
"""
"""Without the applications, which take three processor seconds to load."""


def run(*command: str, role: DatabaseRole, **changed: str) -> subprocess.CompletedProcess[str]:
    """The program with the settings of an installation, except these."""
    return subprocess.run(
        [sys.executable, *command],
        env={**environment_of(role, os.environ), **_SAFE, **changed},
        cwd=CLONE,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


_UNSAFE: Final[tuple[tuple[str, str, Any, str], ...]] = (
    ("HTTPS", "false", False, "HTTPS: found HTTP, too; needed HTTPS only"),
    ("SECRET_KEY", "short", "short", "SECRET_KEY: found 5 characters; needed 50"),
    ("ALLOWED_HOSTS", "*", ["*"], "ALLOWED_HOSTS: found every name; needed the names of"),
    ("DEBUG", "true", True, "DEBUG: found on; needed off"),
    ("SOFTWARE_KEYS", "true", True, "SOFTWARE_KEYS: found accepted; needed refused"),
    ("WEBHOOKS_TO_LOOPBACK", "true", True, "WEBHOOKS_TO_LOOPBACK: found to this machine"),
    ("SIGNING_KEY_ROOTS", "any", ["any"], "SIGNING_KEY_ROOTS: found any; needed the ids of two"),
)
"""Each as a variable and as a setting, with what is said of it."""


class TestASettingOfADemo:
    @pytest.fixture(autouse=True)
    def _safe(self, settings: Settings) -> None:
        """The settings of an installation."""
        settings.DEMO = settings.SOFTWARE_KEYS = settings.WEBHOOKS_TO_LOOPBACK = False
        settings.DEBUG, settings.HTTPS, settings.SIGNING_KEY_ROOTS = False, True, []
        settings.SECRET_KEY, settings.ALLOWED_HOSTS = _SAFE["SECRET_KEY"], ["127.0.0.1"]

    @pytest.mark.parametrize(("name", "value", "message"), [(n, v, m) for n, _, v, m in _UNSAFE])
    def test_is_refused_alone(
        self,
        settings: Settings,
        capsys: pytest.CaptureFixture[str],
        name: str,
        value: Any,
        message: str,
    ) -> None:
        """It says what was found, what is needed, and what to do."""
        refuse_unsafe_settings()
        setattr(settings, name, value)

        with pytest.raises(SystemExit):
            refuse_unsafe_settings()

        [_heading, said] = capsys.readouterr().err.splitlines()
        assert message in said

    def test_is_accepted_in_a_demo(self, settings: Settings) -> None:
        """Which is declared."""
        settings.DEMO, settings.DEBUG = True, True

        refuse_unsafe_settings()


@pytest.mark.usefixtures("fresh_casino")
class TestAnInstallation:
    @pytest.mark.slow
    def test_has_no_web_process_with_settings_of_a_demo(self) -> None:
        """Each is named; a process of a demo starts with all of them."""
        unsafe = {name: value for name, value, *_ in _UNSAFE}
        refused = run(*_WEB, role=DatabaseRole.WEB, **unsafe)
        declared = run(*_WEB, role=DatabaseRole.WEB, **unsafe, DEMO="true")

        assert refused.returncode != 0
        assert [message for *_, message in _UNSAFE if message not in refused.stderr] == []
        assert declared.returncode == 0

    @pytest.mark.slow
    def test_has_no_worker_either(self) -> None:
        """It would count keys in files."""
        refused = run(*_WORKER, role=DatabaseRole.WORKER, SOFTWARE_KEYS="true", DEBUG="true")

        assert refused.returncode == 1
        assert "DEBUG: found on" in refused.stderr
        assert "SOFTWARE_KEYS: found accepted" in refused.stderr

    @pytest.mark.slow
    def test_passes_the_checks_of_the_framework(self) -> None:
        """``check --deploy`` warns of nothing."""
        command = ("-m", "django", "check", "--deploy", "--fail-level", "WARNING")
        checked = run(*command, role=DatabaseRole.WEB, **_DJANGO)

        assert checked.returncode == 0, checked.stderr


@pytest.fixture(scope="module")
def installation(module_casino: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a web process of an installation."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in _SAFE.items():
            patch.setenv(name, value)
        with serving(tmp_path_factory.mktemp("web"), processes=1) as (address, _pid):
            yield address


@pytest.mark.slow
def test_a_web_process_with_safe_settings_starts(installation: str) -> None:
    """Nothing else keeps it from serving."""
    assert answers_at(installation)


class TestByHttps:
    @pytest.fixture
    def served(self, installation: str) -> Iterator[HTTPConnection]:
        """A connection to a web process of an installation, as its proxy has it."""
        connection = HTTPConnection(installation.removeprefix("http://"))
        yield connection
        connection.close()

    def test_a_page_without_tls_leads_to_the_page_with_tls(self, served: HTTPConnection) -> None:
        """As for a person who typed the name of the host."""
        served.request("GET", "/admin/login/", headers={"X-Forwarded-Proto": "http"})
        answer = served.getresponse()

        assert answer.status == 301
        assert str(answer.headers["Location"]).startswith("https://127.0.0.1")

    def test_a_program_without_tls_is_refused(self, served: HTTPConnection) -> None:
        """A redirect would hide that its key was sent in clear text."""
        served.request("GET", "/api/v1/rounds", headers={"Authorization": "Bearer secret"})
        answer = served.getresponse()
        problem = answer.read().decode()

        assert (answer.status, answer.headers["Location"]) == (403, None)
        assert "https-required" in problem

    def test_pages_are_kept_to_tls_by_browsers(self, served: HTTPConnection) -> None:
        """For a year."""
        served.request("GET", "/admin/", headers={"X-Forwarded-Proto": "https"})
        answer = served.getresponse()

        assert (answer.status, answer.headers["Location"]) == (302, "/admin/login/?next=/admin/")
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"

    def test_cookies_cannot_be_set_by_a_sibling_host(self) -> None:
        """By the prefix of their names, with which browsers require TLS, too."""
        shown = run("-c", _SHOW_COOKIES, role=DatabaseRole.WEB, **_DJANGO).stdout

        for name in ("SESSION_COOKIE", "CSRF_COOKIE", "LANGUAGE_COOKIE"):
            assert f"{name}_NAME = '__Host-" in shown
            assert f"{name}_SECURE = True" in shown
            assert f"{name}_HTTPONLY = True" in shown
            assert f"{name}_DOMAIN = None" in shown

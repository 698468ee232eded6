"""Single sign-on in Chromium, with providers on another site: cookies and policy are real."""

import html
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from casino.access.single_sign_on.configuration import OpenIdProvider, SamlProvider
from casino.access.single_sign_on.provider_calls import forget_descriptions
from casino.embedded.server_paths import CLONE
from tests.casino.backoffice.conftest import PASSWORD, person
from tests.casino.backoffice.second_factors import SECRET as PHONE
from tests.casino.backoffice.second_factors import give_phone, rfc_code, step_now
from tests.casino.backoffice.single_sign_on.openid_peer import CLIENT, SECRET
from tests.casino.backoffice.single_sign_on.saml_peer import (
    ISSUER,
    LOGIN,
    Request,
    metadata,
    right_answer,
)
from tests.casino.backoffice.site.browser_tabs import leave, open_tab
from tests.casino.backoffice.site.test_accessibility import violations
from tests.ports import free_port

_NODE: Final = CLONE / ".venv" / "api-node" / "node_modules"
_HERE: Final = Path(__file__).parent


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """Sabot, for a supervisor with a phone."""
    give_phone(person("supervisor"))
    server = LiveServer("localhost")
    yield server.url
    server.stop()


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """A tab without a login."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        yield tab


@contextmanager
def openid_provider(folder: Path, address: str) -> Iterator[str]:
    """The provider of npm; gives its issuer."""
    (folder / "node_modules").symlink_to(_NODE)
    program = shutil.copy(_HERE / "openid_provider.mjs", folder)
    port = str(free_port())
    command = ["node", program, port, f"{address}/admin/login/sso/back/", SECRET]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "listening\n"
        yield f"http://127.0.0.1:{port}"
        running.kill()


class _SamlPages(BaseHTTPRequestHandler):
    """The page of a SAML provider on which somebody logs in."""

    def do_GET(self) -> None:
        """The page, with the answer behind its button."""
        path, _, query = self.path.partition("?")
        if path != "/login":
            self.send_error(404)  # Chromium asks for an icon
            return
        request = Request(f"{LOGIN}?{query}")
        fields = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
            for name, value in right_answer(request, "maria").items()
        )
        form = f'<form method="post" action="{request.acs}">{fields}<button>Go</button></form>'
        body = f"<!doctype html><title>Login</title>{form}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_line: Any) -> None:
        """Nothing."""


@contextmanager
def saml_provider() -> Iterator[str]:
    """Its page for logins; gives the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _SamlPages) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/login"
        server.shutdown()
        thread.join()


def give_password_and_code(page: Page, address: str) -> None:
    """The login with a password, to the page Security."""
    page.goto(f"{address}/admin/login/?next=/admin/security/")
    page.fill("[name=username]", "supervisor")
    page.fill("[name=password]", PASSWORD)
    page.click("#login-form [type=submit]")
    give_code(page, step_now())
    page.wait_for_selector("h1:has-text('Security')")


def give_code(page: Page, step: int) -> None:
    """The second step, by a code of the phone that was not used yet."""
    page.fill("[name=code]", rfc_code(PHONE, step))
    page.keyboard.press("Enter")


def log_out(page: Page, address: str) -> None:
    """Without the cookies of Sabot's session; the provider's stay."""
    leave(page)
    page.goto(f"{address}/admin/login/?next=/admin/board/")


@pytest.mark.slow
def test_a_person_connects_and_logs_in_with_openid_connect(
    page: Page, address: str, tmp_path: Path, settings: Settings
) -> None:
    """On the provider's own pages, which remember the person; Sabot's second step stays."""
    forget_descriptions()
    with openid_provider(tmp_path, address) as issuer:
        settings.SINGLE_SIGN_ON = OpenIdProvider(
            name="Casino ID", issuer=issuer, client_id=CLIENT, client_secret=SECRET, ca_file=""
        )
        give_password_and_code(page, address)

        page.click("text=Connect Casino ID")
        page.fill("[name=login]", "maria")
        page.fill("[name=password]", "of the provider")
        page.click("button[type=submit]")
        page.click("button:has-text('Continue')")
        page.wait_for_selector("text=Connected with your account.")

        log_out(page, address)
        page.click("text=Log in with Casino ID")
        page.wait_for_selector("text=Casino ID logged you in as supervisor.")
        give_code(page, step_now() + 1)
        page.wait_for_url("**/admin/board/")


@pytest.mark.slow
def test_a_person_connects_and_logs_in_with_saml(
    page: Page, address: str, settings: Settings
) -> None:
    """By a form of another site, which browsers send without the cookie of the session."""
    with saml_provider() as login:
        settings.SINGLE_SIGN_ON = SamlProvider(
            name="Casino ID", issuer=ISSUER, metadata=metadata(login=login), entity_id=""
        )
        give_password_and_code(page, address)

        page.click("text=Connect Casino ID")
        page.click("text=Go")
        page.wait_for_selector("text=Connected with your account.")

        log_out(page, address)
        page.click("text=Log in with Casino ID")
        page.click("text=Go")
        page.wait_for_selector("text=Casino ID logged you in as supervisor.")
        give_code(page, step_now() + 1)
        page.wait_for_url("**/admin/board/")


@pytest.mark.slow
@pytest.mark.parametrize("is_required", [False, True])
def test_its_pages_are_accessible(
    page: Page, address: str, settings: Settings, is_required: bool
) -> None:
    """The login, a refusal, the second step and *Security*, in either theme."""
    settings.SSO_REQUIRED = is_required
    page.context.add_init_script(AXE_SCRIPT)
    with saml_provider() as login:
        settings.SINGLE_SIGN_ON = SamlProvider(
            name="Casino ID", issuer=ISSUER, metadata=metadata(login=login), entity_id=""
        )
        found = []
        for place in ("login/", "login/sso/back/"):
            page.goto(f"{address}/admin/{place}")
            found += violations(page)
        give_password_and_code(page, address)
        found += violations(page)
        page.click("text=Connect Casino ID")
        page.click("text=Go")
        page.wait_for_selector("text=Connected with your account.")
        found += violations(page)
        log_out(page, address)
        page.click("text=Log in with Casino ID")
        page.click("text=Go")
        page.wait_for_selector("text=Casino ID logged you in as supervisor.")

        assert found + violations(page) == []

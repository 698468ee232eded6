"""Tabs of Chromium on a server of the back office, for tests."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import User
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright

from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.second_factors import code_of
from tests.query_in_thread import query_in_thread

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
_POLICY = "Content Security Policy"
_SECURITY_KEY = {
    "protocol": "ctap2",
    "transport": "usb",
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def start_chromium(playwright: Playwright) -> Browser:
    """A browser of its own."""
    chromium = shutil.which("chromium")
    assert chromium, "chromium is needed: apt-get install chromium"
    return playwright.chromium.launch(executable_path=chromium, args=_FLAGS)


@contextmanager
def open_tab(playwright: Playwright, address: str, *, trusts_all: bool = False) -> Iterator[Page]:
    """A tab of Chromium in English; a script error fails the test, as does what the policy refuses.

    ``trusts_all`` accepts the certificates of servers that tests start.
    """
    errors: list[str] = []

    def note_refusal(message: ConsoleMessage) -> None:
        if _POLICY in message.text:
            errors.append(message.text)

    browser = start_chromium(playwright)
    context = browser.new_context(
        locale="en-GB", viewport={"width": 1440, "height": 900}, ignore_https_errors=trusts_all
    )
    context.add_cookies([{"name": "django_language", "value": "en", "url": address}])
    tab = context.new_page()
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", note_refusal)
    tab.set_default_timeout(20_000)
    yield tab
    browser.close()
    assert errors == []


def add_security_key(tab: Page, **options: object) -> None:
    """Plugs in a virtual security key that is touched at once; ``options`` are of WebAuthn."""
    device = tab.context.new_cdp_session(tab)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": _SECURITY_KEY | options})


def log_in(page: Page, address: str) -> None:
    """The supervisor logs in and reaches the home page."""
    page.goto(address)
    page.fill("[name=username]", "supervisor")
    page.fill("[name=password]", PASSWORD)
    page.click("[type=submit]")
    give_code(page, "supervisor")
    page.wait_for_selector("#find")


def give_code(page: Page, name: str) -> None:
    """The second step of the login, with the person's phone."""
    page.fill("[name=code]", query_in_thread(lambda: code_of(User.objects.get(username=name))))
    page.keyboard.press("Enter")


def open_round(page: Page, address: str) -> None:
    """The supervisor logs in and opens the contract's round."""
    log_in(page, address)
    page.goto(f"{address}/admin/rounds/round/?q=bj-7-20261121-211010")
    page.wait_for_selector("h1:has-text('Round #21:10:10')")


def enter(tab: Page, address: str, role: str) -> None:
    """A person logs in and reaches the home page."""
    tab.goto(address)
    tab.fill("[name=username]", role)
    tab.fill("[name=password]", PASSWORD)
    tab.click("[type=submit]")
    give_code(tab, role)
    tab.wait_for_selector(".user-menu")


def end_session(tab: Page) -> None:
    """Takes the session's cookie away once the open page has asked all it asks when it loads.

    A page that learns of the end meanwhile moves to the login, and the test's next step meets that.
    """
    tab.wait_for_load_state("networkidle")
    tab.context.clear_cookies(name="sessionid")


def leave(tab: Page) -> None:
    """Ends the session with no page open: one would learn of it and move to the login by itself."""
    tab.goto("about:blank")
    tab.context.clear_cookies(name="sessionid")

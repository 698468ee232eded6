"""Tabs of Chromium on a server of the back office, for tests."""

import json
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, Playwright

from casino.embedded.process import spawn
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.second_factors import code_of
from tests.kept import kept
from tests.processes import wait_until
from tests.query_in_thread import query_in_thread

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@cache
def _chromium() -> str:
    """The address of a Chromium that the tests of this process share; each has its own context."""
    chromium = shutil.which("chromium")
    assert chromium, "chromium is needed: apt-get install chromium"
    folder = Path(kept.enter_context(tempfile.TemporaryDirectory(prefix="sabot-chromium-")))
    config, log = folder / "config.json", folder / "log"
    config.write_text(json.dumps({"executablePath": chromium, "args": _FLAGS}))
    options = ["launch-server", "--browser", "chromium", "--config", str(config)]
    server = spawn(
        [sys.executable, "-m", "playwright", *options], log=log, ends_with_us=signal.SIGKILL
    )
    kept.callback(server.wait)
    kept.callback(server.terminate)
    wait_until(lambda: "ws://" in log.read_text(), what="Chromium listens")
    [address] = re.findall(r"ws://\S+", log.read_text())
    return str(address)


def connect(playwright: Playwright) -> Browser:
    """The shared Chromium; closing it closes what was opened through this connection."""
    return playwright.chromium.connect(_chromium())


@contextmanager
def open_tab(playwright: Playwright, address: str) -> Iterator[Page]:
    """A tab of Chromium in English; a script error fails the test."""
    errors: list[str] = []
    browser = connect(playwright)
    context = browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": "django_language", "value": "en", "url": address}])
    tab = context.new_page()
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.set_default_timeout(20_000)
    yield tab
    browser.close()
    assert errors == []


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

"""API keys and the API reference in Chromium."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import sync_playwright
from pytest_django.live_server_helper import LiveServer

from casino.access.roles import ADMINISTRATOR
from casino.integrations.models import KeySecret
from casino.integrations.tokens import parse_token
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.site.browser_tabs import enter, open_tab

_PATIENCE = 120_000
"""Milliseconds: the reference lays itself out for long on a busy machine."""


@pytest.fixture
def somebody(fresh_casino: str) -> User:
    """The administrator."""
    return person(ADMINISTRATOR)


@pytest.fixture
def address(somebody: User) -> Iterator[str]:
    """A web server."""
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.mark.slow
def test_a_token_is_shown_and_copied_once(address: str) -> None:
    """The button copies it; the key's page does not show it again."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
        enter(tab, address, ADMINISTRATOR)
        tab.goto(f"{address}/admin/keys/new/")
        tab.fill("[name=owner]", "Live Studio")
        tab.check("[value='rounds:write']")
        tab.click("button:has-text('Issue the key')")
        shown = tab.inner_text("#token")
        tab.click("button:has-text('Copy')")
        tab.wait_for_selector("button:has-text('Copied')")
        copied = tab.evaluate("navigator.clipboard.readText()")
        tab.click("text=Continue")
        tab.wait_for_selector("h1:has-text('Key')")
        again = tab.content()

    token = parse_token(shown)
    assert token is not None
    assert copied == shown
    assert token.fits(KeySecret.objects.get().digest)
    assert shown not in again


@pytest.mark.slow
def test_the_reference_loads_from_this_host_only(address: str) -> None:
    """Without a login; the content security policy allows nothing else."""
    requested: list[str] = []
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        tab.on("request", lambda request: requested.append(request.url))
        tab.set_default_timeout(_PATIENCE)
        tab.goto(f"{address}/api/v1/reference")
        tab.click("text=A customer's own token")
        tab.wait_for_selector("text=Issues a token with which a customer reads and disputes")

    assert requested
    assert [url for url in requested if not url.startswith((address, "data:"))] == []

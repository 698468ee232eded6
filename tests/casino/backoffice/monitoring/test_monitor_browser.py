"""The monitor in Chromium: charts are drawn without errors."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.monitoring.watched_tables import address_of, looked, played
from tests.casino.backoffice.site.browser_tabs import log_in, open_tab
from tests.casino_in_play import open_table


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with an evaluated table, and a supervisor."""
    person("supervisor")
    open_table()
    played(2)
    played(3, days_ago=10)
    looked()
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.mark.slow
def test_a_watch_is_drawn_without_an_error(address: str) -> None:
    """The admin's scripts leave its charts alone."""
    watch = address_of("player")
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        log_in(tab, address)

        tab.goto(f"{address}{watch}")

        chart = tab.locator("svg", has=tab.locator(".cumulative")).first.bounding_box()
        assert chart is not None
        assert chart["width"] > 800
        assert chart["height"] > 200

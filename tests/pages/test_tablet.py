"""Every list on a tablet held upright: nothing is cut, nothing scrolls sideways."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from benchmarks.list_pages import VIEWER, list_pages, person_for, single_pages
from tests.casino_in_play import ingest, open_table
from tests.documents import baccarat_round, lines
from tests.pages.conftest import PASSWORD, person
from tests.pages.test_bounded_queries import fill
from tests.pages.test_browser import open_tab

_LONG: Final = "studio-roma-2026-11-21-tables-1-to-20-night-shift-second-delivery.ndjson"
_CUT: Final = """
    [...document.querySelectorAll('html, .scroll')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1)
      .map((each) => `${each.className} ${each.scrollWidth} > ${each.clientWidth}`)
"""


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A web server with two of everything that is listed, out of a file with a long name."""
    person(VIEWER)
    open_table()
    fill(0, 2)
    ingest(lines(baccarat_round("r-settled-0", session="M3"), "broken too"), source=_LONG)
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.fixture
def pages(address: str) -> dict[str, str]:
    """The lists that compliance sees."""
    found = {name: at for name, at in list_pages().items() if person_for(name) == VIEWER}
    return {name: found[name] for name in found.keys() - single_pages().keys()}


@pytest.fixture
def tablet(pages: dict[str, str], address: str) -> Iterator[Page]:
    """A tab as wide as a tablet held upright, in which compliance has logged in."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        tab.set_viewport_size({"width": 820, "height": 1180})
        tab.goto(address)
        tab.fill("[name=username]", VIEWER)
        tab.fill("[name=password]", PASSWORD)
        tab.click("[type=submit]")
        tab.wait_for_selector("#find")
        yield tab


def test_every_list_is_whole_on_a_tablet(tablet: Page, pages: dict[str, str], address: str) -> None:
    """The last columns are what one looks for: money, status, whose it is."""
    cut = {}
    for name, at in pages.items():
        tablet.goto(f"{address}{at}")
        if found := tablet.evaluate(_CUT):
            cut[name] = found

    assert cut == {}

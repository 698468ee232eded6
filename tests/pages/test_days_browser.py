"""Closing a day in a real Chromium, by keyboard alone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from rounds.models import ClosedDay
from tests.aside import aside
from tests.casino_in_play import open_table
from tests.pages.conftest import person
from tests.pages.test_browser import open_tab
from tests.pages.test_managing_browser import enter
from tests.payouts.days.midnight import NOON, arrive, dealt, reconcile_at, settle_at

_MOST_STEPS = 80


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A web server with a day that is over and agrees, and compliance."""
    person("compliance")
    open_table()
    arrive(dealt("r-1", NOON))
    settle_at()
    reconcile_at()
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


def tab_to(page: Page, text: str) -> None:
    """Presses the tabulator until what has this text is in focus."""
    for _ in range(_MOST_STEPS):
        page.keyboard.press("Tab")
        if text in page.evaluate("document.activeElement.innerText || ''"):
            return
    raise AssertionError(f"no way to {text!r} by keyboard")


def test_a_day_is_closed_by_keyboard(address: str) -> None:
    """From Today to the day, to its button, and the page says that it is closed."""
    with sync_playwright() as playwright, open_tab(playwright, address) as page:
        enter(page, address, "compliance")
        tab_to(page, "Tuesday 10 November 2026")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=All agrees")
        tab_to(page, "Close the day")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=The day is closed.")
        stands = page.inner_text("h1 + .pill")
        closed = aside(lambda: list(ClosedDay.objects.values_list("day", flat=True)))

    assert stands == "Closed"
    assert [str(day) for day in closed] == ["2026-11-10"]

"""Closing a day in Chromium by keyboard alone."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from rounds.models import ClosedDay
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.second_factors import code_of, give_phone
from tests.casino.backoffice.site.browser_tabs import enter, open_tab
from tests.casino_in_play import open_table
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, dealt, reconcile_at, settle_at
from tests.query_in_thread import query_in_thread

_MOST_STEPS = 80


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with a day to close that has a held round."""
    person("compliance")
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON, held=True))
    settle_at()
    reconcile_at()
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


def tab_to(page: Page, text: str) -> None:
    """Presses Tab until the element with this text has the focus."""
    for _ in range(_MOST_STEPS):
        page.keyboard.press("Tab")
        if text in page.evaluate("document.activeElement.innerText || ''"):
            return
    raise AssertionError(f"no way to {text!r} by keyboard")


@pytest.mark.slow
def test_a_day_is_closed_by_keyboard(address: str) -> None:
    """From Today over the acknowledgement and the code to the closed day."""
    with sync_playwright() as playwright, open_tab(playwright, address) as page:
        enter(page, address, "compliance")
        query_in_thread(lambda: give_phone(User.objects.get(username="compliance")))
        tab_to(page, "Tuesday 10 November 2026")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Held rounds of this day")
        alert = page.inner_text(".alert-amber h2")
        tab_to(page, "Close the day")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Closing cannot be undone")
        page.focus("[name=acknowledged]")
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
        page.keyboard.type(
            query_in_thread(lambda: code_of(User.objects.get(username="compliance")))
        )
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Gaming day closed.")
        status = page.inner_text("h1 + .badge")
        facts = page.inner_text("dl.facts")
        closed = query_in_thread(lambda: list(ClosedDay.objects.values_list("day", flat=True)))

    assert alert == "1 held round with stakes of €22.00"
    assert status == "Closed"
    assert "1 held round with stakes of €22.00" in facts
    assert [str(day) for day in closed] == ["2026-11-10"]


@pytest.mark.slow
def test_nothing_is_closed_without_the_acknowledgement(address: str) -> None:
    """The browser validates the form."""
    with sync_playwright() as playwright, open_tab(playwright, address) as page:
        enter(page, address, "compliance")
        query_in_thread(lambda: give_phone(User.objects.get(username="compliance")))
        page.goto(f"{address}/admin/days/2026-11-10/close/")
        page.click("text=Close the day permanently")
        is_missing = page.evaluate("!document.querySelector('[name=acknowledged]').validity.valid")
        closed = query_in_thread(ClosedDay.objects.exists)

    assert is_missing
    assert not closed

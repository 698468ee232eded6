"""The exceptions queue in Chromium: by keyboard, and on a tablet."""

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.site.browser_tabs import log_in, open_tab
from tests.casino_in_play import open_table, settle
from tests.payouts.stuck_work.stuck_scenarios import (
    conflict,
    failing_round,
    failing_task,
    quarantined,
)

_CUT = (
    "[...document.querySelectorAll('html, .scroll, .actions')]"
    ".filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className)"
)


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with exceptions of every kind, and a supervisor."""
    person("supervisor")
    open_table()
    failing_round()
    conflict()
    quarantined("{" + "x" * 200)
    failing_task("payouts.a_task_with_a_rather_long_name")
    settle()
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """A tab in which the supervisor has logged in."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        log_in(tab, address)
        yield tab


@pytest.mark.slow
def test_a_supervisor_takes_and_closes_work_without_a_mouse(page: Page, address: str) -> None:
    """J and Enter open an item; Tab and Enter reach every control."""
    page.goto(f"{address}/admin/stuck/?kind=conflict")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector("h2:has-text('Actions')")

    press_by_tab(page, "Assign to me")
    page.wait_for_selector("text=Assigned to")
    tab_to(page, "document.activeElement.tagName === 'TEXTAREA'")
    page.keyboard.type("sent twice")
    press_by_tab(page, "Mark as resolved")
    page.wait_for_selector("h1 ~ .badge:has-text('Resolved')")

    steps = page.locator(".timeline strong").all_inner_texts()
    assert steps == ["Assigned → supervisor", "Resolved"]
    assert page.inner_text(".timeline .comment") == "sent twice"


@pytest.mark.slow
def test_all_lines_of_the_page_are_marked_at_once(page: Page, address: str) -> None:
    """By one checkbox."""
    page.goto(f"{address}/admin/stuck/")
    page.check("[data-select-all]")

    page.click("button[value=take]")
    page.wait_for_selector("text=4 items processed.")

    assert page.locator("td:has-text('supervisor')").count() == 4


@pytest.mark.slow
def test_nothing_is_cut(page: Page, address: str) -> None:
    """List and items on a tablet in portrait, in both languages."""
    page.goto(f"{address}/admin/stuck/")
    links = page.eval_on_selector_all("td a.open", "(all) => all.map((each) => each.href)")

    cut = []
    for language, width, link in product(("it", "en"), (820, 1440), (page.url, *links)):
        page.context.add_cookies([{"name": "django_language", "value": language, "url": address}])
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(link)
        cut += [(language, width, link, element) for element in page.evaluate(_CUT)]

    assert len(links) == 4
    assert cut == []


def tab_to(page: Page, condition: str) -> None:
    """Presses Tab until the element has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(condition):
            return
    raise AssertionError(f"not reached by Tab: {condition}")


def press_by_tab(page: Page, button: str) -> None:
    """Presses Tab until the button with this text has the focus, then Enter."""
    tab_to(page, f"document.activeElement.innerText?.trim() === '{button}'")
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_a_note_is_there_again_after_an_action_that_failed(page: Page, address: str) -> None:
    """Somebody else was first; the note is filled in again and not sent."""
    page.goto(f"{address}/admin/stuck/?kind=conflict")
    page.click("td a.open")
    page.fill("textarea[name=note]", "sent twice by the studio")
    other = page.context.new_page()
    other.goto(page.url)
    other.click("button:has-text('Assign to me')")
    other.wait_for_selector("text=Assigned to")

    page.click("button:has-text('Mark as resolved')")
    page.wait_for_selector("[data-unsaved]:has-text('Your change was not saved.')")

    page.wait_for_selector("[data-draft-restored]")
    assert page.input_value("textarea[name=note]") == "sent twice by the studio"
    assert page.locator("h1 ~ .badge:has-text('Resolved')").count() == 0

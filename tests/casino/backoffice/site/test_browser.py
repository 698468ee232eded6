"""The pages in a real Chromium: log in, find a round, read its payout, deal it again."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Playwright, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.casino.backoffice.conftest import PASSWORD, person
from tests.casino.backoffice.rounds.test_round_page import example_of_the_contract
from tests.casino.backoffice.second_factors import code_of
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import lines
from tests.query_in_thread import query_in_thread

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A web server with the contract's round, settled, and a supervisor."""
    person("supervisor")
    open_table("bj-7", "blackjack/1")
    ingest(lines(example_of_the_contract()))
    settle()
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@contextmanager
def open_tab(playwright: Playwright, address: str) -> Iterator[Page]:
    """A tab of Chromium that reads English; an error in the page fails the test."""
    chromium = shutil.which("chromium")
    assert chromium, "chromium is needed: apt-get install chromium"
    errors: list[str] = []
    browser = playwright.chromium.launch(executable_path=chromium, args=_FLAGS)
    context = browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": "django_language", "value": "en", "url": address}])
    tab = context.new_page()
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.set_default_timeout(20_000)
    yield tab
    browser.close()
    assert errors == []


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """A tab on the server of the contract's round."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        yield tab


def log_in(page: Page, address: str) -> None:
    """The supervisor logs in and stands on the home page."""
    page.goto(address)
    page.fill("[name=username]", "supervisor")
    page.fill("[name=password]", PASSWORD)
    page.click("[type=submit]")
    give_code(page, "supervisor")
    page.wait_for_selector("#find")


def give_code(page: Page, name: str) -> None:
    """The second step of the login, with the code of the person's phone."""
    page.fill("[name=code]", query_in_thread(lambda: code_of(User.objects.get(username=name))))
    page.keyboard.press("Enter")


def open_round(page: Page, address: str) -> None:
    """The supervisor logs in and opens the contract's round."""
    log_in(page, address)
    page.goto(f"{address}/admin/rounds/round/?q=bj-7-20261121-211010")
    page.wait_for_selector("h1:has-text('Round #21:10:10')")


def test_a_supervisor_finds_a_round_by_its_code_and_deals_it_again(
    page: Page, address: str
) -> None:
    """The contract's round: b1 pays 30.00; the hole card is face down until all else lies."""
    log_in(page, address)
    page.keyboard.press("Control+k")
    page.keyboard.type("#21:10:10")
    page.keyboard.press("Enter")

    page.wait_for_selector("h1:has-text('Round #21:10:10')")
    assert page.inner_text("[data-field=paid]") == "€43.00"
    assert page.inner_text("[data-hand='1a'] [data-total-of]") == "21"

    page.click("button[data-go=first]")
    assert page.locator(".slot.is-undealt").count() == 7
    for _card in range(4):
        page.keyboard.press("ArrowRight")
    assert page.locator(".slot.is-undealt").count() == 3
    assert page.locator("[data-hand='D'] .slot.is-hidden").count() == 1
    assert page.inner_text("[data-hand='D'] [data-total-of]") == "soft 11"
    assert "Card 4 of 7" in page.inner_text(".caption")

    page.click("[data-step='7']")
    assert page.locator(".slot.is-hidden").count() == 0
    assert page.inner_text("[data-hand='D'] [data-total-of]") == "soft 18"
    page.keyboard.press("ArrowLeft")
    assert "Card 6 of 7" in page.inner_text(".caption")

    page.click("button.why >> nth=0")
    assert page.locator("tr.reason:visible").count() == 1
    assert "[BJ] Vincite" in page.inner_text("tr.reason:visible")


def test_a_round_shows_what_it_paid_without_scrolling_sideways(page: Page, address: str) -> None:
    """The last column is the money: from a tablet held upright on it is never cut."""
    open_round(page, address)

    for width in (820, 1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        page.wait_for_selector("h1:has-text('Round #21:10:10')")
        cut = page.evaluate(
            "[...document.querySelectorAll('html, .scroll, .table-layout')]"
            ".filter((each) => each.scrollWidth > each.clientWidth + 1)"
            ".map((each) => each.className)"
        )
        assert cut == [], width


def test_a_printed_round_has_every_reason_and_no_menu(page: Page, address: str) -> None:
    """On paper nothing can be opened; on the screen they are closed again afterwards."""
    open_round(page, address)

    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = page.locator("tr.reason:visible").count()
    menus = page.locator("#nav-sidebar:visible, .topbar:visible, .transport:visible").count()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")

    assert (printed, menus) == (2, 0)
    assert page.locator("tr.reason:visible").count() == 0

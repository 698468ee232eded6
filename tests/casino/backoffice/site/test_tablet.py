"""Lists fit on a tablet in portrait and on a desktop, in both languages."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.urls import reverse
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from benchmarks.web.list_pages import VIEWER, list_pages, person_for, single_pages
from compliance.exports.reports import REPORTS
from tests.casino.backoffice.conftest import PASSWORD, person
from tests.casino.backoffice.site.browser_tabs import give_code, open_tab
from tests.casino.backoffice.site.large_casino import fill
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines

_LONG: Final = "studio-roma-2026-11-21-tables-1-to-20-night-shift-second-delivery.ndjson"
_ROUNDS: Final = 4
_WIDTHS: Final = (820, 1440)
_PAPER: Final = 1032
_NOT_PRINTED: Final = """
    [...document.querySelectorAll('.rows th:not(.select-cell)')]
      .filter((each) => !each.offsetWidth || each.getBoundingClientRect().right > innerWidth)
      .map((each) => each.textContent.trim())
"""
_CUT: Final = """
    [...document.querySelectorAll('html, .scroll')]
      .filter((each) => each.scrollWidth > each.clientWidth + 1)
      .map((each) => `${each.className} ${each.scrollWidth} > ${each.clientWidth}`)
"""

# Tables that became too wide are laid out anew in the next frame (narrow-tables.js).
_LAID_OUT: Final = "new Promise((next) => requestAnimationFrame(() => setTimeout(next)))"


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with two rows of every list, and long names."""
    person(VIEWER)
    open_table()
    fill(0, 2)
    ingest(lines(baccarat_round("r-settled-0", session="M3"), "broken too"), source=_LONG)
    for table in {json.loads(line)["table"] for line in golden_rounds()}:
        open_table(table, "mega-fire-blaze-blackjack/1")
    ingest(golden_rounds())
    settle()
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.fixture
def pages(address: str) -> dict[str, str]:
    """The lists that compliance may read."""
    pages = {name: at for name, at in list_pages().items() if person_for(name) == VIEWER}
    return {name: pages[name] for name in pages.keys() - single_pages().keys()}


@pytest.fixture
def tablet(pages: dict[str, str], address: str) -> Iterator[Page]:
    """A tab of a tablet in portrait, in which compliance has logged in."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        tab.set_viewport_size({"width": 820, "height": 1180})
        tab.goto(address)
        tab.fill("[name=username]", VIEWER)
        tab.fill("[name=password]", PASSWORD)
        tab.click("[type=submit]")
        give_code(tab, VIEWER)
        tab.wait_for_selector("#find")
        yield tab


@pytest.mark.slow
def test_every_list_is_whole(tablet: Page, pages: dict[str, str], address: str) -> None:
    """No column is cut on a screen, nor on A4 across, 1,032 pixels between its margins."""
    cut: dict[tuple[str, str, int], list[str]] = {}
    not_printed: dict[tuple[str, str], list[str]] = {}
    for language in ("it", "en"):
        read_in(tablet, address, language)
        for name, at in pages.items():
            tablet.goto(f"{address}{at}")
            cut |= {(language, name, width): parts for width, parts in cut_parts(tablet).items()}
            if headings := headings_not_printed(tablet):
                not_printed[language, name] = headings

    assert (cut, not_printed) == ({}, {})


@pytest.mark.slow
def test_every_report_is_whole(tablet: Page, address: str) -> None:
    """The one of game performance has fourteen columns."""
    days = "first_day=2026-11-20&last_day=2026-11-26"
    reports = [(report.key, reverse("report", args=[report.key])) for report in REPORTS]
    of_each = {key: f"{address}{at}?{days}" for key, at in reports}

    for language in ("it", "en"):
        read_in(tablet, address, language)
        assert cut_pages(tablet, of_each) == {}, language


@pytest.mark.slow
def test_the_trail_of_pages_is_whole(tablet: Page, address: str) -> None:
    """On a tablet it ends before the page itself, whose name is the heading."""
    read_in(tablet, address, "it")
    tablet.goto(f"{address}{reverse('report', args=[REPORTS[0].key])}")

    trail = tablet.locator(".breadcrumbs")
    assert trail.inner_text().split("\n") == ["Oggi", "Esportazioni ADM (già AAMS)"]
    assert trail.evaluate("trail => trail.scrollWidth <= trail.clientWidth")


@pytest.mark.slow
def test_the_cards_of_a_round_come_before_ledger_and_timeline(tablet: Page, address: str) -> None:
    """On a tablet, below the actions."""
    tablet.set_viewport_size({"width": 820, "height": 1180})
    tablet.goto(f"{address}/admin/rounds/round/?q={json.loads(golden_rounds()[0])['round']}")
    read = tablet.evaluate(
        """[".table-layout-panel", "#bets", ".timeline"].map(
          (each) => document.querySelector(each).getBoundingClientRect().top)"""
    )

    assert read == sorted(read)


@pytest.mark.slow
def test_every_bet_of_a_round_is_whole(tablet: Page, address: str) -> None:
    """Long names of bets, plays and rules included."""
    names = [json.loads(line)["round"] for line in golden_rounds()]
    of_each = {name: f"{address}/admin/rounds/round/?q={name}" for name in names}

    assert len(of_each) == _ROUNDS
    for language in ("it", "en"):
        read_in(tablet, address, language)
        assert cut_pages(tablet, of_each) == {}, language


def read_in(tab: Page, address: str, language: str) -> None:
    """Switches the language."""
    tab.context.add_cookies([{"name": "django_language", "value": language, "url": address}])


def cut_pages(tab: Page, pages: dict[str, str]) -> dict[tuple[str, int], list[str]]:
    """Overflowing elements by page and width."""
    cut: dict[tuple[str, int], list[str]] = {}
    for name, at in pages.items():
        tab.goto(at)
        cut |= {(name, width): parts for width, parts in cut_parts(tab).items()}
    return cut


def cut_parts(tab: Page) -> dict[int, list[str]]:
    """Overflowing elements of the page in the tab, by width."""
    cut = {}
    for width in _WIDTHS:
        tab.set_viewport_size({"width": width, "height": 1180})
        tab.evaluate(_LAID_OUT)
        if overflowing := tab.evaluate(_CUT):
            cut[width] = overflowing
    return cut


def headings_not_printed(tab: Page) -> list[str]:
    """Of columns that paper cuts off or leaves out."""
    tab.set_viewport_size({"width": _PAPER, "height": 700})
    tab.emulate_media(media="print")
    headings: list[str] = tab.evaluate(_NOT_PRINTED)
    tab.emulate_media(media="screen")
    return headings


def golden_rounds() -> list[bytes]:
    """Recorded rounds of the game with the longest texts."""
    lines_of_cases = (Path(__file__).parents[3] / "golden/mega-fire-blaze.ndjson").read_bytes()
    chosen = [line for line in lines_of_cases.splitlines(keepends=True) if b'"golden"' in line]
    return sorted(chosen, key=len)[-_ROUNDS:]

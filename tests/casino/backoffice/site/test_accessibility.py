"""No page breaks a rule of WCAG 2.2, levels A and AA, that axe-core checks, in either theme."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.utils import timezone
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from benchmarks.web.list_pages import VIEWER
from compliance.impact.analyses import RuleChange, begin_analysis, work_on_part
from compliance.impact.changed_fields import FieldChange
from payouts.reconciliation.checks.days import Days
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.role_pages import RolePage, browser_of, pages_of
from tests.casino.backoffice.security.page_permissions import COLUMNS
from tests.casino.backoffice.site.browser_tabs import open_tab
from tests.casino.backoffice.site.large_casino import fill
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import GIULIA
from tests.repetitions import repeated

_VIOLATIONS: Final = "async (options) => (await axe.run(options)).violations"
_LEVELS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RULES: Final[dict[str, dict[str, Any]]] = {
    "light": {"type": "tag", "values": _LEVELS},
    "dark": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}
"""What is checked by theme: they differ in nothing but colours."""
_SET_THEME: Final = "isDark => document.documentElement.classList.toggle('dark', isDark)"
_FEWEST: Final = {"auditor": 1, "administrator": 20}
_SELDOM_FEWER: Final = 45


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with two rows of every list, a held round, a settled one and its analysis."""
    person(VIEWER)
    open_table()
    fill(0, 2)
    ingest(lines(baccarat_round("r-settled-0", session="M3"), held_baccarat_round("r-held")))
    settle()
    two_to_one = RuleChange(fields=[FieldChange("baccarat/1", "bets/player/pays", "2:1")])
    analysis = begin_analysis(two_to_one, days=Days(None, None), at=timezone.now(), actor=GIULIA)
    while work_on_part(analysis, now=timezone.now):
        pass
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


def violations(tab: Page) -> list[tuple[str, str, str, str]]:
    """Theme, rule, element and what to do, of the page in this tab."""
    found = []
    for theme, rules in _RULES.items():
        tab.evaluate(_SET_THEME, theme == "dark")
        options = {"runOnly": rules, "resultTypes": ["violations"]}
        found += [
            (theme, rule["id"], node["html"], node["failureSummary"])
            for rule in tab.evaluate(_VIOLATIONS, options)
            for node in rule["nodes"]
        ]
    return found


@pytest.mark.slow
@pytest.mark.timeout(1_200)  # of all roles together
def test_every_page_of_every_role_is_accessible(address: str) -> None:
    """As axe-core sees it; what it cannot see is in ``docs/contributor/accessibility.md``.

    A page with the same content, to the character, as for an earlier role is not checked again: a
    visit costs more than a processor second. The role's menu and top bar are on its other pages.
    With a share of the repetitions each page is visited by fewer roles, at least one.
    """
    browsers = {role: browser_of(role) for role in COLUMNS[1:]}
    pages = {role: pages_of(role, browser) for role, browser in browsers.items()}
    visits = [*_visits(pages)]
    found = {}
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        tab.context.add_init_script(AXE_SCRIPT)  # Chromium keeps it from page to page
        for role, page in visits:
            session = browsers[role].cookies["sessionid"].value
            tab.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
            tab.goto(f"{address}{page.at}")
            if broken := violations(tab):
                found[role, page.at] = broken

    assert found == {}
    assert all(len(pages[role]) >= _FEWEST.get(role, _SELDOM_FEWER) for role in browsers)
    assert {role for role, _page in visits} == {*browsers}


def _visits(pages: dict[str, dict[str, RolePage]]) -> Iterator[tuple[str, RolePage]]:
    """Role and page: each content of each route once, or the share of them, by turns."""
    different: dict[str, dict[str, tuple[str, RolePage]]] = {}
    for role, of_role in pages.items():
        for route, page in of_role.items():
            different.setdefault(route, {}).setdefault(page.content, (role, page))
    for number, contents in enumerate(different.values()):
        turns = [*contents.values()]
        first = number % len(turns)
        yield from [*turns[first:], *turns[:first]][: repeated(len(turns))]

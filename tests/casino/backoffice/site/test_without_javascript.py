"""Pages and forms work without JavaScript (issue 17, item 12)."""

from collections.abc import Iterator
from itertools import product
from typing import Final

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.site.browser_tabs import give_code, start_chromium

_WIDTHS: Final = (1440, 820)
_ROUND: Final = "/admin/rounds/round/?q=bj-7-20261121-211010"
"""Leads to the round itself: it is the only one that is found."""


@pytest.fixture
def page(address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A tab without JavaScript in which the supervisor has logged in."""
    with sync_playwright() as playwright:
        browser = start_chromium(playwright)
        size = {"width": getattr(request, "param", _WIDTHS[0]), "height": 900}
        context = browser.new_context(java_script_enabled=False, viewport=size)  # type: ignore[arg-type]
        context.add_cookies([{"name": "django_language", "value": "en", "url": address}])
        tab = context.new_page()
        tab.goto(address)
        assert tab.is_visible(".noscript")
        tab.fill("[name=username]", "supervisor")
        tab.fill("[name=password]", PASSWORD)
        tab.click("#login-form [type=submit]")
        assert tab.is_visible(".noscript")
        give_code(tab, "supervisor")
        tab.wait_for_selector("#nav-sidebar")
        yield tab
        browser.close()


@pytest.mark.slow
def test_the_main_pages_are_read(page: Page, address: str) -> None:
    """With heading, note and menu."""
    paths = (
        *("/admin/", "/admin/rounds/round/", _ROUND),
        *("/admin/cases/", "/admin/disputes/", "/admin/days/", "/admin/rule-sets/"),
        *("/admin/readings/", "/admin/rounds/table/", "/admin/security/"),
    )
    for width, path in product(_WIDTHS, paths):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{address}{path}")

        assert page.is_visible("h1"), path
        assert page.is_visible(".noscript"), path
        assert page.is_visible("#nav-sidebar a:has-text('Held rounds')"), path


@pytest.mark.slow
def test_a_round_shows_its_payouts_and_every_reason(page: Page, address: str) -> None:
    """Reasons are open without a button."""
    for width in _WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{address}{_ROUND}")

        assert page.inner_text("[data-field=paid]") == "€43.00"
        explanations = page.locator("tr.explanation")
        assert explanations.count() == page.locator("tr.explanation:visible").count() > 0


@pytest.mark.slow
@pytest.mark.parametrize("page", _WIDTHS, indirect=True)
def test_forms_are_sent(page: Page, address: str) -> None:
    """A search, and a change of password."""
    page.goto(f"{address}/admin/rounds/round/")
    page.fill(".filters [name=q]", "#21:10:10")
    page.click(".filters [type=submit]")
    assert page.inner_text("table.rows a.code") == "#21:10:10"

    page.goto(f"{address}/admin/password_change/")
    page.fill("[name=old_password]", PASSWORD)
    page.fill("[name=new_password1]", "seven shuffled shoes")
    page.fill("[name=new_password2]", "seven shuffled shoes")
    page.click("form:has([name=old_password]) [type=submit]")
    assert page.locator("[name=old_password]").count() == 0

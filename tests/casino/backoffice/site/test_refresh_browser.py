"""A page that follows what runs on the server is brought up to date in place."""

import pytest
from playwright.sync_api import Page

from tests.casino.backoffice.site.browser_tabs import log_in


@pytest.mark.slow
def test_a_page_is_refreshed_without_a_reload(page: Page, address: str) -> None:
    """The focus and the page's scripts stay: WCAG 2.2, 2.2.1 and 3.2.5."""
    log_in(page, address)
    page.clock.install()
    page.goto(f"{address}/admin/board/?wall")
    page.focus(".wall-exit")
    page.evaluate("window.isSamePage = true; document.querySelector('h1').textContent = 'old'")
    page.clock.fast_forward(30_000)

    page.wait_for_selector("h1:text-is('Board')")

    assert page.evaluate("window.isSamePage")
    assert page.evaluate("document.activeElement.className") == "plain wall-exit"

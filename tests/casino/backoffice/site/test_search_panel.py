"""The panel under the search field, in Chromium."""

import pytest
from playwright.sync_api import Page, expect

from tests.casino.backoffice.site.browser_tabs import log_in


@pytest.mark.slow
def test_the_panel_is_walked_by_keys(page: Page, address: str) -> None:
    """Ctrl K, a few letters, arrow and Enter; Escape closes it."""
    log_in(page, address)
    page.keyboard.press("Control+k")
    page.keyboard.type("exceptions")
    panel = page.locator("#find-panel")
    expect(panel.locator("a")).to_have_text(["Exceptions queue"])

    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.keyboard.type("exceptions")
    expect(panel).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    page.wait_for_url("**/admin/stuck/")

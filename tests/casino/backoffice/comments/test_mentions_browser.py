"""Names after @ are completed, with the keyboard alone (issue 20, point 11)."""

import pytest
from playwright.sync_api import Page, expect

from tests.casino.backoffice.site.browser_tabs import open_round


class TestAMention:
    @pytest.mark.slow
    def test_is_completed_by_keyboard(self, page: Page, address: str) -> None:
        """Screen readers follow the choice; Escape leaves what was typed."""
        open_round(page, address)
        field = page.locator("textarea[data-mentions]")
        field.focus()

        page.keyboard.type("Ask @")
        expect(page.get_by_role("listbox")).to_be_visible()
        first = field.get_attribute("aria-activedescendant")
        page.keyboard.press("ArrowUp")
        assert field.get_attribute("aria-activedescendant") != first or (
            page.locator(".mention-list li").count() == 1
        )
        page.keyboard.press("Escape")
        expect(page.locator("[role=listbox]")).to_be_hidden()
        page.keyboard.type("superv")
        page.keyboard.press("Enter")

        assert field.input_value() == "Ask @supervisor "
        expect(page.locator(".mention-list")).to_be_hidden()

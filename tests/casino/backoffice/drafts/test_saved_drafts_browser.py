"""What was typed survives a closed tab, an ended session and a crash (issue 20, point 11)."""

import pytest
from playwright.sync_api import Page, expect

from tests.casino.backoffice.site.browser_tabs import end_session, log_in, open_round

_TEXT = "The dealer was pale."
_LATER = "A later text."
_FIELD = "textarea[name=text]"


def type_comment(page: Page) -> None:
    """Types a comment until its draft is saved."""
    page.fill(_FIELD, _TEXT)
    page.wait_for_selector("form[data-draft=saved]")


class TestADraft:
    @pytest.mark.slow
    def test_survives_a_lost_browser_and_is_discarded(self, page: Page, address: str) -> None:
        """All the browser's storage is gone; the person logs in again."""
        open_round(page, address)
        type_comment(page)
        end_session(page)
        page.evaluate("sessionStorage.clear(); localStorage.clear()")

        open_round(page, address)
        expect(page.locator("[data-draft-restored]")).to_contain_text("Draft of")
        assert page.input_value(_FIELD) == _TEXT

        page.click("[data-draft-restored] button")
        expect(page.locator(_FIELD)).to_have_value("")
        page.wait_for_load_state("networkidle")
        page.reload()
        page.wait_for_load_state("networkidle")
        assert page.input_value(_FIELD) == ""

    @pytest.mark.slow
    @pytest.mark.parametrize("is_quick", [False, True])
    def test_is_gone_once_the_form_was_saved(
        self, page: Page, address: str, is_quick: bool
    ) -> None:
        """And the comment is on the page; also if it is sent before a draft is saved."""
        open_round(page, address)
        if is_quick:
            page.fill(_FIELD, _TEXT)
        else:
            type_comment(page)
        page.click("form:has(textarea[name=text]) button[type=submit]")

        page.wait_for_selector(f"p.comment:has-text('{_TEXT}')")
        page.wait_for_load_state("networkidle")
        assert page.input_value(_FIELD) == ""
        assert page.locator("[data-draft-restored]").count() == 0

    @pytest.mark.slow
    def test_does_not_replace_what_was_submitted(self, page: Page, address: str) -> None:
        """The page that comes back has the newer text, and it becomes the draft."""
        form = f"{address}/admin/cases/malfunction/"
        log_in(page, address)
        page.goto(form)
        page.fill("[name=references]", "no-such-round")
        page.select_option("[name=reason]", "shuffler")
        type_comment(page)
        page.fill(_FIELD, _LATER)
        page.click("form[data-draft] button[type=submit]")
        page.wait_for_selector(f"{_FIELD}:text-is('{_LATER}')")

        assert page.input_value(_FIELD) == _LATER
        assert page.locator("[data-draft-restored]").count() == 0
        page.goto(form)
        expect(page.locator("[data-draft-restored]")).to_contain_text("Draft of")
        assert page.input_value(_FIELD) == _LATER

"""Every shown keyboard shortcut works (issue 17, item 12)."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.casino.backoffice.site.browser_tabs import log_in, open_round

_SHOWN = re.compile(r"<kbd>(.*?)</kbd>")
_TRIED = {
    *("Ctrl K", "?", "Esc", "↑", "↓", "J", "K", '{% translate "Enter" %}'),
    *("←", "→", '{% translate "Space" %}', "C"),
}


def test_every_shown_key_is_tested() -> None:
    """A new shortcut needs a test."""
    templates = Path(settings.BASE_DIR, "templates").rglob("*.html")

    assert {key for template in templates for key in _SHOWN.findall(template.read_text())} == _TRIED


class TestOnARound:
    @pytest.mark.slow
    @pytest.mark.parametrize("key", ["c", "C"])
    def test_c_opens_its_correction(self, page: Page, address: str, key: str) -> None:
        """In both cases of the letter."""
        open_round(page, address)
        page.keyboard.press(key)

        page.wait_for_url(re.compile("/correct/"))

    @pytest.mark.slow
    def test_c_is_a_letter_where_one_types(self, page: Page, address: str) -> None:
        """Not in input fields, and not with Control."""
        open_round(page, address)
        here = page.url
        page.keyboard.press("Control+c")
        page.keyboard.press("Control+k")
        page.keyboard.type("c")

        assert page.input_value("#find") == "c"
        assert page.url == here

    @pytest.mark.slow
    def test_arrows_and_space_replay_it(self, page: Page, address: str) -> None:
        """One card back, one forward, all of them."""
        open_round(page, address)
        page.keyboard.press("ArrowLeft")
        assert "Card 6 of 7" in page.inner_text(".caption")
        page.keyboard.press("ArrowRight")
        assert page.locator(".slot.is-undealt").count() == 0

        page.keyboard.press(" ")
        expect(page.locator("[data-go=play]")).to_have_attribute("aria-pressed", "true")


class TestTheHelp:
    @pytest.mark.slow
    def test_opens_with_a_question_mark_and_closes_with_escape(
        self, page: Page, address: str
    ) -> None:
        """While it is open the other keys do nothing; focus returns to the page."""
        open_round(page, address)
        here = page.url
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
        expect(dialog).to_contain_text("Search rounds, customers, cases, pages and actions")
        page.keyboard.press("c")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Escape")

        expect(dialog).to_be_hidden()
        assert page.url == here
        assert page.locator(".slot.is-undealt").count() == 0

    @pytest.mark.slow
    def test_opens_by_mouse_and_is_a_character_where_one_types(
        self, page: Page, address: str
    ) -> None:
        """A click beside the dialog closes it, as its button does."""
        log_in(page, address)
        dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
        page.fill("#find", "")
        page.keyboard.type("?")
        assert page.input_value("#find") == "?"

        page.click("[data-opens-help]")
        expect(dialog).to_be_visible()
        page.mouse.click(5, 5)
        expect(dialog).to_be_hidden()
        page.click("[data-opens-help]")
        dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_be_hidden()

    @pytest.mark.slow
    def test_switches_the_single_keys_off_and_on(self, page: Page, address: str) -> None:
        """For people who dictate: WCAG 2.2, 2.1.4. Control with K still finds; the mouse helps."""
        open_round(page, address)
        page.click("[data-opens-help]")
        page.uncheck("[data-single-keys]")
        page.keyboard.press("Escape")
        page.reload()
        here = page.url
        page.keyboard.press("c")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_hidden()
        assert page.url == here
        assert page.locator(".slot.is-undealt").count() == 0

        page.click("[data-opens-help]")
        page.check("[data-single-keys]")
        page.keyboard.press("Escape")
        page.keyboard.press("c")
        page.wait_for_url(re.compile("/correct/"))


@pytest.mark.slow
def test_arrows_choose_a_result_of_the_search_and_escape_hides_them(
    page: Page, address: str
) -> None:
    """Down and up."""
    log_in(page, address)
    page.fill("#find", "rounds")
    page.wait_for_selector("#find-panel a")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('#find-panel') !== null")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "find"
    page.keyboard.press("Escape")

    expect(page.locator("#find-panel")).to_be_hidden()


@pytest.mark.slow
def test_j_k_and_enter_walk_through_a_list(page: Page, address: str) -> None:
    """Without the mouse."""
    log_in(page, address)
    page.goto(f"{address}/admin/rounds/round/")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.className") == "code"
    page.keyboard.press("Enter")

    page.wait_for_selector("h1:has-text('Round #21:10:10')")


@pytest.mark.slow
def test_the_first_tab_leads_past_the_menu(page: Page, address: str) -> None:
    """The next Tab is in the page: WCAG 2.2, 2.4.1."""
    log_in(page, address)
    page.goto(f"{address}/admin/rounds/round/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.slow
def test_the_theme_is_chosen_without_the_mouse(page: Page, address: str) -> None:
    """By the menu of the person: WCAG 2.2, 2.1.1."""
    log_in(page, address)
    page.focus(".user-menu summary")
    for key in ("Enter", "Tab", "Tab", "Enter"):
        page.keyboard.press(key)

    expect(page.locator("html")).to_have_class("dark")
    expect(page.locator(".themes button >> nth=1")).to_have_attribute("aria-pressed", "true")

"""Input survives a session that ends before the form is sent (issue 17, item 12)."""

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from casino.access.roles import grant_roles
from tests.casino.backoffice.conftest import PASSWORD, person
from tests.casino.backoffice.second_factors import give_phone
from tests.casino.backoffice.site.browser_tabs import end_session, give_code, leave, open_tab

_FORM = "/admin/reasons/new/"
_ITALIAN, _ENGLISH = "Il tavolo era fermo", "The table stood still"
_LATER = "The table stood still again"


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server on which two persons may add reasons."""
    role = grant_roles()["compliance"]
    person("compliance")
    other = User.objects.create_user("colleague", password=PASSWORD, is_staff=True)
    other.groups.set([role])
    give_phone(other)
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """A tab in which compliance has filled in a reason."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        tab.goto(f"{address}{_FORM}")
        log_in(tab, "compliance")
        tab.wait_for_selector("[name=text_it]")
        type_reason(tab)
        yield tab


def log_in(tab: Page, name: str) -> None:
    """Logs in with password and code."""
    tab.fill("[name=username]", name)
    tab.fill("[name=password]", PASSWORD)
    tab.click("#login-form [type=submit]")
    give_code(tab, name)


def type_reason(tab: Page) -> None:
    """Fills in the form."""
    tab.fill("[name=code]", "table-still")
    tab.select_option("[name=purpose]", index=1)
    tab.fill("[name=text_it]", _ITALIAN)
    tab.fill("[name=text_en]", _ENGLISH)
    tab.wait_for_selector("form[data-draft=saved]")


def is_listed(tab: Page, address: str) -> bool:
    """Whether the reason was stored, seen from another tab."""
    other = tab.context.new_page()
    other.goto(f"{address}/admin/payouts/reason/")
    cells = other.locator("td:has-text('table-still')").count()
    other.close()
    return bool(cells)


def send(tab: Page) -> None:
    """Clicks the form's button."""
    tab.click("form:has([name=text_it]) button[type=submit]")


def typed(tab: Page) -> tuple[str, str, str]:
    """The values of the form."""
    names = ("code", "text_it", "text_en")
    code, italian, english = (tab.input_value(f"[name={name}]") for name in names)
    return code, italian, english


class TestADraft:
    @pytest.mark.slow
    def test_is_there_again_after_login_and_was_not_sent(self, page: Page, address: str) -> None:
        """Only the person sends the form."""
        end_session(page)
        send(page)
        page.wait_for_selector("#login-form")
        log_in(page, "compliance")

        page.wait_for_selector("[data-draft-restored]")
        assert typed(page) == ("table-still", _ITALIAN, _ENGLISH)
        assert page.input_value("[name=purpose]") != ""
        assert not is_listed(page, address)

        send(page)
        page.wait_for_url(re.compile(r"^(?!.*/new/)"))
        assert is_listed(page, address)

    @pytest.mark.slow
    def test_is_there_for_its_author_only(self, page: Page, address: str) -> None:
        """Another person at the browser sees nothing, and the browser keeps nothing."""
        page.fill("[name=text_en]", _LATER)  # submitted before it is saved
        end_session(page)
        send(page)
        page.wait_for_selector("#login-form")
        log_in(page, "colleague")

        page.wait_for_selector("[name=text_it]")
        page.wait_for_load_state("networkidle")
        assert typed(page) == ("", "", "")
        stored = page.evaluate("JSON.stringify([sessionStorage, localStorage])")
        assert _ITALIAN not in stored

        leave(page)
        page.goto(f"{address}{_FORM}")
        log_in(page, "compliance")
        page.wait_for_selector("[data-draft-restored]")
        assert typed(page) == ("table-still", _ITALIAN, _LATER)

    @pytest.mark.slow
    def test_is_there_again_after_a_form_that_could_not_be_checked(self, page: Page) -> None:
        """The error page links back."""
        page.context.clear_cookies(name="csrftoken")
        send(page)
        page.click("text=Back to the previous page")

        page.wait_for_selector("[data-draft-restored]")
        assert typed(page) == ("table-still", _ITALIAN, _ENGLISH)


@pytest.mark.slow
def test_passwords_are_never_kept(page: Page, address: str) -> None:
    """Not even encrypted."""
    page.goto(f"{address}/admin/password_change/")
    page.fill("[name=old_password]", PASSWORD)
    page.fill("[name=new_password1]", "a new one of mine")
    end_session(page)
    page.click("form:has([name=old_password]) [type=submit]")
    page.wait_for_selector("#login-form")
    log_in(page, "compliance")

    page.wait_for_selector("[name=old_password]")
    assert page.input_value("[name=old_password]") == ""
    assert page.input_value("[name=new_password1]") == ""

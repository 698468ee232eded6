"""Second factors and sessions in Chromium (issue 5, point 7)."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.casino.backoffice.conftest import PASSWORD, person
from tests.casino.backoffice.second_factors import CONFIRM, SECRET, give_phone, rfc_code, step_now
from tests.casino.backoffice.site.browser_tabs import add_security_key, open_tab

_CUT = (
    "[...document.querySelectorAll('html, .scroll, .factor, .with-deed')]"
    ".filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.className)"
)


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with a host name, as passkeys need; a supervisor with a phone."""
    give_phone(person("supervisor"))
    person("administrator")
    server = LiveServer("localhost")
    yield server.url
    server.stop()


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """A tab without a login."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        yield tab


def give_password(page: Page, address: str, name: str) -> None:
    """The first step of the login."""
    page.goto(f"{address}/admin/login/?next=/admin/security/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("[type=submit]")


def right_code() -> str:
    """The code of the supervisor's phone, without the database."""
    return rfc_code(SECRET, step_now())


def wrong_code() -> str:
    """A code that is invalid now."""
    near = {rfc_code(SECRET, step_now() + wrong) for wrong in range(-10, 11)}
    return next(code for code in ("000000", "000001", "000002") if code not in near)


def give_code(page: Page, code: str) -> None:
    """Enters a code and presses Enter."""
    page.fill("[name=code]", code)
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_a_supervisor_logs_in_with_a_phone_and_confirms_with_a_passkey(
    page: Page, address: str
) -> None:
    """A wrong code is refused; a passkey is added, used and listed."""
    give_password(page, address, "supervisor")
    page.wait_for_selector("text=Password accepted for supervisor.")
    give_code(page, wrong_code())
    page.wait_for_selector("text=The code is incorrect or was already used.")
    give_code(page, right_code())
    page.wait_for_selector("h1:has-text('Security')")

    add_security_key(page, transport="internal")
    page.click("text=Add a passkey")
    page.fill("[name=name]", "key at the desk")
    page.click("text=Create passkey")
    page.wait_for_selector("ol.recovery-codes li >> nth=9")
    page.click("text=Continue")
    page.wait_for_selector("strong:has-text('key at the desk')")

    page.goto(f"{address}{CONFIRM}?next=/admin/stuck/")
    give_code(page, wrong_code())
    page.wait_for_selector("text=The code is incorrect or was already used.")
    page.click("text=Use a passkey")
    page.wait_for_url("**/admin/stuck/")


@pytest.mark.slow
def test_an_administrator_ends_a_session(page: Page, address: str) -> None:
    """The supervisor's next click leads to the login."""
    give_password(page, address, "supervisor")
    give_code(page, right_code())
    page.wait_for_selector("h1:has-text('Security')")
    assert page.context.browser is not None
    elsewhere = page.context.browser.new_context(locale="en-GB")
    elsewhere.add_cookies([{"name": "django_language", "value": "en", "url": address}])
    desk = elsewhere.new_page()

    give_password(desk, address, "administrator")
    give_code(desk, right_code())
    desk.wait_for_selector("h1:has-text('Security')")
    desk.click("nav >> text=Sessions")
    desk.click("tr:has-text('Supervisor') button:has-text('End')")
    desk.wait_for_selector("text=1 session ended.")

    page.reload()
    page.wait_for_selector("[name=username]")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["it", "en"])
def test_nothing_is_cut_on_a_tablet(page: Page, address: str, language: str) -> None:
    """In portrait, on every page about second factors."""
    page.context.add_cookies([{"name": "django_language", "value": language, "url": address}])
    page.set_viewport_size({"width": 820, "height": 1100})
    give_password(page, address, "supervisor")
    page.wait_for_selector("[name=code]")
    cut = page.evaluate(_CUT)
    give_code(page, right_code())
    page.wait_for_selector("table.rows")

    for place in ("", "confirm/", "passkey/"):
        page.goto(f"{address}/admin/security/{place}")
        cut += page.evaluate(_CUT)

    assert cut == []

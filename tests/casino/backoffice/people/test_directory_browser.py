"""What a directory asks for, in Chromium: one click opens the request, which the page signs."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from casino.access.models import AccessRequest
from casino.access.roles import ADMINISTRATOR
from compliance.signatures.models import DecisionSignature
from tests.casino.api.scim.directories import ROLES, Directory
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.site.browser_tabs import enter, open_tab
from tests.query_in_thread import query_in_thread


@pytest.fixture
def lia(fresh_casino: str, settings: Settings) -> User:
    """A person for whom the directory asks for the role supervisor; an administrator."""
    settings.DIRECTORY_ROLES = ROLES
    person(ADMINISTRATOR)
    directory = Directory()
    lia = directory.joins("lia")
    directory.adds("supervisor", lia)
    return lia


@pytest.fixture
def address(lia: User) -> Iterator[str]:
    """A web server."""
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.mark.slow
def test_one_click_opens_the_signed_request(address: str, lia: User) -> None:
    """With what the page has filled in."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        enter(tab, address, ADMINISTRATOR)
        tab.goto(f"{address}/admin/people/requests/")
        tab.click("button:has-text('Open a request')")
        tab.wait_for_selector("#token")

    row = query_in_thread(AccessRequest.objects.get)
    assert (row.person_id, row.roles_after) == (lia.pk, ["supervisor"])
    assert row.reason.endswith("group casino-supervisors")
    assert query_in_thread(DecisionSignature.objects.count) == 1

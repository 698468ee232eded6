"""Tabs of two persons who decide a case, for tests."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from casino.access.roles import grant_roles
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.second_factors import code_of, give_phone
from tests.casino.backoffice.site.browser_tabs import open_tab
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import lines
from tests.query_in_thread import query_in_thread


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A web server with a table, a supervisor and a compliance officer, who has a phone."""
    open_table()
    for name, role in (("giulia", "supervisor"), ("lorenzo", "compliance")):
        person = User.objects.create_user(
            name, password=PASSWORD, is_staff=True, first_name=name.title()
        )
        person.groups.set([grant_roles()[role]])
        give_phone(person)
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.fixture
def tabs(address: str) -> Iterator[tuple[Page, Page]]:
    """Giulia's browser and Lorenzo's, both logged in."""
    with sync_playwright() as playwright, ExitStack() as browsers:
        pages = []
        for name in ("giulia", "lorenzo"):
            tab = browsers.enter_context(open_tab(playwright, address))
            log_in(tab, address, name)
            pages.append(tab)
        giulia, lorenzo = pages
        yield giulia, lorenzo


def code_on_phone_of(name: str) -> str:
    """What the person's phone shows."""
    return query_in_thread(lambda: code_of(User.objects.get(username=name)))


def play(*documents: object) -> list[bytes]:
    """These rounds, settled or held; gives their feed."""
    feed = lines(*documents)
    query_in_thread(lambda: ingest(feed))
    query_in_thread(settle)
    return feed


def log_in(page: Page, address: str, name: str) -> None:
    """With password and phone."""
    page.goto(address)
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("[type=submit]")
    page.fill("[name=code]", code_on_phone_of(name))
    page.click("button[type=submit]")
    page.wait_for_selector("#find")


def sign(page: Page) -> None:
    """Signs what the page of the case shows; whoever has just logged in need not prove it again."""
    page.check("[name=read]")
    page.fill("form:has([name=read]) [name=note]", "Seen on the video, too.")
    if page.locator("form:has([name=read]) [name=code]").count():
        page.fill("[name=code]", code_on_phone_of("lorenzo"))
    page.click("text=Sign and execute")
    page.wait_for_selector("text=Approved. ")

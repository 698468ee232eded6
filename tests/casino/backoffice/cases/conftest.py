"""Fixtures for tests of cases: two persons, and rounds to decide."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.casino.backoffice.cases.case_forms import browser_of, named
from tests.casino.backoffice.conftest import PASSWORD
from tests.casino.backoffice.second_factors import code_of, give_phone
from tests.casino.backoffice.site.browser_tabs import open_tab
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.query_in_thread import query_in_thread


@pytest.fixture
def giulia(db: None) -> Client:
    """A supervisor who reads English."""
    return browser_of(named("Giulia", "supervisor"))


@pytest.fixture
def lorenzo(db: None) -> Client:
    """A compliance officer with a phone."""
    person = named("Lorenzo", "compliance")
    give_phone(person)
    return browser_of(person)


@pytest.fixture
def rounds(db: None) -> None:
    """Two settled rounds, and a held one with a card too many."""
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-2"), held_baccarat_round("r-3")))
    settle()


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with a table, a supervisor and a compliance officer with a phone."""
    open_table()
    for name, role in (("giulia", "supervisor"), ("lorenzo", "compliance")):
        person = User.objects.create_user(
            name, password=PASSWORD, is_staff=True, first_name=name.title()
        )
        person.groups.add(Group.objects.get(name=role))
        give_phone(person)
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.fixture
def tabs(address: str) -> Iterator[tuple[Page, Page]]:
    """Tabs of Giulia and of Lorenzo, both logged in."""
    with sync_playwright() as playwright, ExitStack() as browsers:
        pages = []
        for name in ("giulia", "lorenzo"):
            tab = browsers.enter_context(open_tab(playwright, address))
            log_in(tab, address, name)
            pages.append(tab)
        giulia, lorenzo = pages
        yield giulia, lorenzo


def code_on_phone_of(name: str) -> str:
    """The current code of the person's phone."""
    return query_in_thread(lambda: code_of(User.objects.get(username=name)))


def log_in(page: Page, address: str, name: str) -> None:
    """Logs in with password and phone."""
    page.goto(address)
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("[type=submit]")
    page.fill("[name=code]", code_on_phone_of(name))
    page.click("button[type=submit]")
    page.wait_for_selector("#find")

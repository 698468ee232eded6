"""Fixtures for browser tests: a server with a round, and a tab."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.rounds.contract_round import example_of_the_contract
from tests.casino.backoffice.site.browser_tabs import open_tab
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import lines


@pytest.fixture
def address(fresh_casino: str) -> Iterator[str]:
    """A server with the contract's round, settled, and a supervisor."""
    person("supervisor")
    open_table("bj-7", "blackjack/1")
    ingest(lines(example_of_the_contract()))
    settle()
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()


@pytest.fixture
def page(address: str) -> Iterator[Page]:
    """A tab on that server."""
    with sync_playwright() as playwright, open_tab(playwright, address) as tab:
        yield tab

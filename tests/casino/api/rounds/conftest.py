"""Fixtures for tests of rounds by the API."""

import pytest

from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines


@pytest.fixture
def table() -> None:
    """The table of the documents."""
    open_table()


@pytest.fixture
def settled_round() -> None:
    """Three bets of two customers: Player 9 against Banker 7."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()

"""Fixtures for tests of rounds by the API."""

import pytest

from tests.casino_in_play import open_table


@pytest.fixture
def table() -> None:
    """The table of the documents."""
    open_table()

"""Fixtures for tests of money."""

import pytest

from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines


@pytest.fixture
def settled() -> None:
    """p-1 staked 12.00 and has 25.00; p-2 staked 10.00 and has nothing; the house paid 3.00."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()

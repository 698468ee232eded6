"""Fixtures for tests of settlement."""

import pytest

from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import void


@pytest.fixture
def two_alike_rounds() -> None:
    """r-1 is settled and voided; r-2 has the same bets and waits."""
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()
    ingest(lines(baccarat_round("r-2")))
    void("r-1", after=1)

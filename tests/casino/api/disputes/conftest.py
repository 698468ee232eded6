"""Fixtures for tests of disputes by the API."""

import pytest

from tests.payouts.disputes.dispute_scenarios import play


@pytest.fixture
def settled_round() -> None:
    """r-1 with three bets of two customers: Player 9 against Banker 7."""
    play()

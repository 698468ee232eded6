"""Fixtures for tests of API calls."""

import pytest

from tests.casino.api.api_client import a_customer


@pytest.fixture
def customer() -> None:
    """The customer whose tokens are requested."""
    a_customer()

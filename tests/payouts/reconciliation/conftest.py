"""Fixtures for tests of reconciliation."""

from collections.abc import Iterator

import pytest
from django.utils import translation

from tests.payouts.reconciliation.four_rounds import play_small


@pytest.fixture
def small_casino(fresh_casino: str) -> Iterator[None]:
    """A few rounds of each kind; differences are read in English."""
    with translation.override("en"):
        play_small()
        yield

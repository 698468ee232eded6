"""Fixtures for tests of webhooks: local receivers are allowed."""

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _receivers_are_here(settings: Settings) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = True

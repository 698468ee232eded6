"""Fixtures for tests of stuck work."""

import pytest

from rounds import wake_workers


@pytest.fixture(autouse=True)
def _notifier_that_was_never_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a broker that was away a bell is silent for a while, also for the next test."""
    monkeypatch.setattr(wake_workers, "_notifier", wake_workers._Notifier())

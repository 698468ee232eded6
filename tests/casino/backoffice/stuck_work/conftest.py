"""Fixtures for tests of the exceptions queue."""

import pytest

from rounds import wake_workers


@pytest.fixture(autouse=True)
def _notifier_that_was_never_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resets the notifier, which pauses after a lost broker."""
    monkeypatch.setattr(wake_workers, "_notifier", wake_workers._Notifier())

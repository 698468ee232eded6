"""A release that this process runs from."""

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.compliance.release.small_release import SmallRelease, public_key


@pytest.fixture
def release(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> SmallRelease:
    """Installed as it was signed."""
    small = SmallRelease(tmp_path)
    small.use(monkeypatch)
    settings.RELEASE_LIST = str(small.list)
    settings.RELEASE_KEYS = [public_key(small.key)]
    return small

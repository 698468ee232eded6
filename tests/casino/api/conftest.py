"""Fixtures for tests of the API."""

from pathlib import Path

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _no_collected_files(settings: Settings, tmp_path: Path) -> None:
    """The API has no static files; an earlier `make run` may have left some."""
    settings.STATIC_ROOT = tmp_path

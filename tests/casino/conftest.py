"""A folder for servers that a test starts itself."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the account PostgreSQL runs as can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="sabot-test-") as made:
        Path(made).chmod(0o755)
        yield Path(made)

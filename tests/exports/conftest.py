"""Fixtures of the exports."""

from pathlib import Path

import pytest

from compliance.exports.bundle.signing import SigningKey
from tests.exports.days import key_in, play_the_day


@pytest.fixture
def day(fresh_casino: str) -> None:
    """A casino in which the day was played; an export needs a database that commits."""
    play_the_day()


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    """A key, its certificate beside it."""
    return key_in(tmp_path)

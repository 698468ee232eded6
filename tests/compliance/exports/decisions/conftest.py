"""Fixtures for tests of signed decisions in bundles."""

from pathlib import Path

import pytest

from compliance.exports.bundle.signing import SigningKey
from tests.compliance.exports.decisions.signed_day import SignedDay, signed_day


@pytest.fixture
def signed(fresh_casino: str, key: SigningKey, tmp_path: Path) -> SignedDay:
    """The bundle of a day with a signed case."""
    return signed_day(tmp_path, key)

"""Fixtures for tests of signed decisions in bundles."""

from dataclasses import replace
from pathlib import Path

import pytest

from compliance.exports.bundle.signing import SigningKey
from tests.compliance.exports.decisions.signed_day import SignedDay, signed_day
from tests.compliance.exports.exported_days import key_in


@pytest.fixture(scope="module")
def module_day(module_casino: str, tmp_path_factory: pytest.TempPathFactory) -> SignedDay:
    """The bundle of a day with a signed case, for tests that read and forge its files."""
    folder = tmp_path_factory.mktemp("signed")
    return signed_day(folder, key_in(folder))


@pytest.fixture
def signed(module_day: SignedDay, tmp_path: Path) -> SignedDay:
    """The module's bundle; what the test changes in it is in a folder of its own."""
    return replace(module_day, folder=tmp_path)


@pytest.fixture
def signed_casino(fresh_casino: str, key: SigningKey, tmp_path: Path) -> SignedDay:
    """The same in a database of its own, for a test that exports further bundles."""
    return signed_day(tmp_path, key)

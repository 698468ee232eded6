"""Fixtures for tests of the archive."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.compliance.archive.archived_months import Archived, archived_in, play_the_month
from tests.conftest import NewTemplate


@pytest.fixture(scope="session")
def month_template(new_template: NewTemplate, casino_template: str) -> str:
    """A closed month of all games with every kind of decision, once for all tests."""
    return new_template("archive", play_the_month, template=casino_template)


@pytest.fixture
def month(month_template: str, copy_of: Callable[[str], str]) -> str:
    """The closed month, in a database of the test's own."""
    return copy_of(month_template)


@pytest.fixture
def archived(month: str, tmp_path: Path) -> Archived:
    """The closed month with its archive."""
    return archived_in(tmp_path)

"""Fixtures for tests of the archive."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.compliance.archive.archived_months import (
    Archived,
    copied_from,
    play_the_month,
    written_once,
)
from tests.compliance.archive.removable_months import (
    detach,
    drop_parts,
    play_the_removable_month,
)
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
def archived(
    month_template: str, month: str, new_template: NewTemplate, tmp_path: Path
) -> Archived:
    """The closed month with its archive."""
    return copied_from(written_once(new_template, month_template), tmp_path)


@pytest.fixture(scope="session")
def removable_template(new_template: NewTemplate, casino_template: str) -> str:
    """An old month without open work, once for all tests."""
    return new_template("removable", play_the_removable_month, template=casino_template)


@pytest.fixture(scope="session")
def removable_files(new_template: NewTemplate, removable_template: str) -> Path:
    """The folder with its archive and the key."""
    return written_once(new_template, removable_template)


@pytest.fixture(scope="session")
def detached_template(
    new_template: NewTemplate,
    removable_template: str,
    removable_files: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> str:
    """The month has left the database, and its tables are dropped, once for all tests."""

    def leave() -> None:
        detach(copied_from(removable_files, tmp_path_factory.mktemp("detached")))
        drop_parts()

    return new_template("detached", leave, template=removable_template)


@pytest.fixture
def archive_settings(settings: Settings, tmp_path: Path) -> None:
    """Commands of the test find archive and key in its folder."""
    settings.ARCHIVE_FOLDER = str(tmp_path / "archive")
    settings.EXPORT_KEY = str(tmp_path / "export.key")


@pytest.fixture
def removable(
    archive_settings: None,
    removable_template: str,
    removable_files: Path,
    copy_of: Callable[[str], str],
    tmp_path: Path,
) -> Archived:
    """The month, archived, in a database of the test's own."""
    copy_of(removable_template)
    return copied_from(removable_files, tmp_path)


@pytest.fixture
def detached(
    archive_settings: None,
    detached_template: str,
    removable_files: Path,
    copy_of: Callable[[str], str],
    tmp_path: Path,
) -> Archived:
    """The month has left the database of the test."""
    copy_of(detached_template)
    return copied_from(removable_files, tmp_path, is_recorded=True)

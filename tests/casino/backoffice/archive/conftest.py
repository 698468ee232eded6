"""Fixtures for tests of the page of the archive: an archived month on the web host."""

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import reader
from tests.compliance.archive.archived_months import Archived
from tests.compliance.archive.conftest import archived, month, month_template

__all__ = ["archived", "month", "month_template", "on_the_host"]


@pytest.fixture
def on_the_host(archived: Archived, settings: Settings, tmp_path: Path) -> Archived:
    """The archived month; the web host has its files and the certificate alone."""
    settings.ARCHIVE_FOLDER = str(archived.folder.parent)
    settings.EXPORT_KEY = str(tmp_path / "export.key")
    (tmp_path / "export.key").unlink()
    return archived


@pytest.fixture
def auditor(on_the_host: Archived) -> Client:
    """A browser of an auditor with a recent second factor; the month is archived."""
    return reader(person("auditor"))

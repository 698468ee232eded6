"""A directory in the hands of an attacker, and two administrators."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from tests.casino.api.scim.directories import ROLES, Directory
from tests.casino.backoffice.people.people import somebody


@pytest.fixture(autouse=True)
def _no_collected_files(settings: Settings, tmp_path: Path) -> None:
    """An earlier `make run` may have left static files, or none."""
    settings.STATIC_ROOT = tmp_path


@pytest.fixture
def directory(db: None, settings: Settings) -> Directory:
    """A directory that was taken over; the operator has declared a group for each of four roles."""
    others = ["casino-administrators=administrator", "casino-payments=payments"]
    settings.DIRECTORY_ROLES = [*ROLES, *others]
    return Directory()


@pytest.fixture
def administrators(db: None) -> list[User]:
    """Ada and Bruno, who decide; the directory manages neither."""
    return [somebody("ada", "administrator"), somebody("bruno", "administrator")]

"""Fixtures for tests of SCIM: a directory, three administrators and a managed supervisor."""

import pytest
from django.contrib.auth.models import Group, User
from django.utils import timezone
from pytest_django import Settings

from casino.access.models import DirectoryAccount
from tests.casino.api.scim.directories import ROLES, Directory


@pytest.fixture(autouse=True)
def _groups_of_the_directory(settings: Settings) -> None:
    """Two groups, for two roles."""
    settings.DIRECTORY_ROLES = ROLES


@pytest.fixture
def directory(db: None) -> Directory:
    """A directory with its key."""
    return Directory()


@pytest.fixture
def administrators(db: None) -> list[User]:
    """Three active administrators, whom the directory manages."""
    return [managed(name, "administrator") for name in ("ada", "bruno", "carla")]


@pytest.fixture
def supervisor(db: None) -> User:
    """A supervisor, whom the directory manages."""
    return managed("nino", "supervisor")


def managed(name: str, *roles: str) -> User:
    """A person with these roles, handed to the directory."""
    user = User.objects.create_user(name, email=f"{name}@casino.example", is_staff=True)
    user.groups.set(Group.objects.filter(name__in=roles))
    DirectoryAccount.objects.create(person=user, since=timezone.now())
    return user

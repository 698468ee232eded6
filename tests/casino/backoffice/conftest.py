"""Fixtures for tests of pages: people, their roles and their browsers."""

from pathlib import Path
from typing import Final

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from pytest_django import Settings

from casino.access.roles import AUDITOR, grant_roles
from rounds.models import Round
from tests.casino.backoffice.second_factors import HERE, give_phone


@pytest.fixture(autouse=True)
def _plain_static_files(settings: Settings, tmp_path: Path) -> None:
    """Static files keep their names, whatever was collected before."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def _passwords_that_cost_nothing(settings: Settings) -> None:
    """A fast password hasher."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


PASSWORD: Final = "a shuffled shoe"  # noqa: S105  only in throw-away databases


def person(role: str) -> User:
    """A person in one role, with a phone where the role needs one."""
    user = newcomer(role)
    if role != AUDITOR:
        give_phone(user)
    return user


def newcomer(role: str) -> User:
    """A person in one role, with a password only."""
    user = User.objects.create_user(role, password=PASSWORD, is_staff=True)
    user.groups.set([_group_of(role)])
    return user


_PERMISSIONS: Final[dict[str, list[int]]] = {}
"""Of each role; the same in every copy of the template."""


def _group_of(role: str) -> Group:
    """The group of a role, made with all others.

    ``grant_roles`` takes thirty queries. It is called once; from then on its rows are copied.
    """
    group = Group.objects.filter(name=role).first()
    if group is not None:
        return group
    if not _PERMISSIONS:
        groups = grant_roles()
        for name, granted in groups.items():
            _PERMISSIONS[name] = list(granted.permissions.values_list("pk", flat=True))
        return groups[role]
    groups_by_name = {
        group.name: group for group in Group.objects.bulk_create(map(_named, _PERMISSIONS))
    }
    grants = Group.permissions.through
    grants._default_manager.bulk_create(
        grants(group_id=groups_by_name[name].pk, permission_id=permission)
        for name, granted in _PERMISSIONS.items()
        for permission in granted
    )
    return groups_by_name[role]


def _named(name: str) -> Group:
    return Group(name=name)


def allow_everything(user: User) -> None:
    """Gives the person every permission; no role of the casino has them all."""
    everything, _ = Group.objects.get_or_create(name="everything")
    everything.permissions.set(Permission.objects.all())
    user.groups.add(everything)


@pytest.fixture
def supervisor(client: Client, db: None) -> Client:
    """A browser in which a supervisor has logged in, in English."""
    client.force_login(person("supervisor"))
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
def administrator(client: Client, db: None) -> Client:
    """A browser in which an administrator has logged in, in English."""
    client.force_login(person("administrator"))
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
def compliance(client: Client, db: None) -> Client:
    """A browser in which a compliance officer has logged in, in English."""
    client.force_login(person("compliance"))
    client.cookies["django_language"] = "en"
    return client


def page_of(reference: str) -> str:
    """The address of a round's page."""
    return f"/admin/rounds/round/{Round.objects.get(reference=reference).pk}/change/"


@pytest.fixture
def signer(db: None) -> User:
    """A supervisor with a phone."""
    someone = person("supervisor")
    give_phone(someone)
    return someone


@pytest.fixture
def desk(signer: User) -> Client:
    """The signer's browser, in English, on a host that supports passkeys."""
    client = Client(REMOTE_ADDR=HERE, headers={"host": "localhost"})
    client.force_login(signer)
    client.cookies["django_language"] = "en"
    return client

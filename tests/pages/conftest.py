"""Somebody who looks at pages."""

from pathlib import Path
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from casino.roles import grant_roles
from rounds.models import Round
from tests.pages.factors import HERE, give_phone


@pytest.fixture(autouse=True)
def _plain_static_files(settings: Settings, tmp_path: Path) -> None:
    """Nothing is collected for tests, here or by an earlier `make run`: files keep their names."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def _passwords_that_cost_nothing(settings: Settings) -> None:
    """Each of Django's own takes half a second of a core, for every person of every test."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


PASSWORD: Final = "a shuffled shoe"  # noqa: S105  only in throw-away databases


def person(role: str) -> User:
    """A person in one role, named like it."""
    user = User.objects.create_user(role, password=PASSWORD, is_staff=True)
    user.groups.set([grant_roles()[role]])
    return user


@pytest.fixture
def supervisor(client: Client, db: None) -> Client:
    """A browser in which the supervisor has logged in, and reads English."""
    client.force_login(person("supervisor"))
    client.cookies["django_language"] = "en"
    return client


def page_of(reference: str) -> str:
    """The address of a round's page."""
    return f"/admin/rounds/round/{Round.objects.get(reference=reference).pk}/change/"


@pytest.fixture
def signer(db: None) -> User:
    """A supervisor who has a phone."""
    someone = person("supervisor")
    give_phone(someone)
    return someone


@pytest.fixture
def desk(signer: User) -> Client:
    """Where that supervisor has logged in and reads English, on a host that passkeys work with."""
    client = Client(REMOTE_ADDR=HERE, headers={"host": "localhost"})
    client.force_login(signer)
    client.cookies["django_language"] = "en"
    return client

"""Fixtures for tests of pages: people, their roles and their browsers."""

from pathlib import Path
from typing import Final

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from rounds.models import Round
from tests.casino.backoffice.second_factors import HERE, give_phone


@pytest.fixture(autouse=True)
def _plain_static_files(settings: Settings, tmp_path: Path) -> None:
    """Static files keep their names, also after a collection of static files."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def _keys_in_files(settings: Settings, tmp_path: Path) -> None:
    """People sign with keys in files, as in the demo."""
    settings.SOFTWARE_KEYS, settings.VAR_DIR = True, tmp_path


@pytest.fixture(autouse=True)
def _confirmed_logins(monkeypatch: pytest.MonkeyPatch) -> None:
    """People have given their second factor just now; modules that test it override this."""
    log_in = Client.force_login

    def log_in_confirmed(client: Client, user: User, backend: str | None = None) -> None:
        log_in(client, user, backend)
        session = client.session
        session["confirmed_at"] = session["confirmed_by_both_at"] = timezone.now().timestamp()
        session.save()

    monkeypatch.setattr(Client, "force_login", log_in_confirmed)


PASSWORD: Final = "a shuffled shoe"  # noqa: S105  only in throw-away databases


def person(role: str) -> User:
    """A person in one role, with a phone, and a signing key where the role needs one."""
    user = newcomer(role)
    give_phone(user)
    return user


def newcomer(role: str) -> User:
    """A person in one role, with a password only."""
    user = User.objects.create_user(role, password=PASSWORD, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


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

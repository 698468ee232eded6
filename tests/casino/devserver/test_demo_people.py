"""The users of the demo casino, and their phones."""

import re
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from django.utils import timezone
from pytest_django import Settings

from casino.access.second_factor import verify_code
from casino.devserver.demo import PEOPLE, make_api_token, make_people
from casino.integrations.models import ApiKey
from casino.integrations.revoke_key import revoke_key
from compliance.trail.actor import Actor

pytestmark = pytest.mark.django_db


@pytest.fixture
def passwords(settings: Settings, tmp_path: Path) -> dict[str, str]:
    """The demo's users with their passwords."""
    settings.VAR_DIR = tmp_path
    return make_people(passwords_file=tmp_path / "demo" / "passwords.json")


def shown_code(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The code that the command prints."""
    call_command("demo_code", name)
    return capsys.readouterr().out.strip()


class TestTheCodeOfADemoPhone:
    def test_is_valid(self, passwords: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
        """The next code is valid as well."""
        supervisor = User.objects.get(username="supervisor")
        request = RequestFactory(REMOTE_ADDR="192.0.2.7").post("/admin/login/second/")
        request.user = supervisor

        accepted = [
            verify_code(request, supervisor, shown_code("supervisor", capsys)) for _ in range(2)
        ]

        assert accepted == [True, True]

    def test_is_shown_for_everybody(
        self, passwords: dict[str, str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Nobody logs in with a password alone."""
        codes = {name: shown_code(name, capsys) for name in PEOPLE}

        assert all(re.fullmatch("[0-9]{6}", code) for code in codes.values())

    def test_is_not_shown_without_a_phone(self, passwords: dict[str, str]) -> None:
        """Whoever removed it has none."""
        Authenticator.objects.filter(user__username="auditor").delete()

        with pytest.raises(CommandError, match="auditor has no phone"):
            call_command("demo_code", "auditor")

    def test_stays_when_the_demo_is_filled_again(
        self, passwords: dict[str, str], settings: Settings
    ) -> None:
        """`make run` fills it at every start."""
        before = set(Authenticator.objects.values_list("pk", flat=True))

        make_people(passwords_file=settings.VAR_DIR / "demo" / "passwords.json")

        assert set(Authenticator.objects.values_list("pk", flat=True)) == before

    @pytest.mark.parametrize("why", ["another password", "no demo", "nobody"])
    def test_is_not_shown_of_others(
        self, passwords: dict[str, str], settings: Settings, tmp_path: Path, why: str
    ) -> None:
        """Outside of a demo the command refuses."""
        if why == "another password":
            supervisor = User.objects.get(username="supervisor")
            supervisor.set_password(f"{timezone.now()}")
            supervisor.save()
        if why == "no demo":
            settings.VAR_DIR = tmp_path / "elsewhere"

        with pytest.raises(CommandError, match="is not a user of the demo casino"):
            call_command("demo_code", "somebody" if why == "nobody" else "supervisor")


class TestTheTokenOfTheApi:
    def test_is_made_once_for_this_machine(self, tmp_path: Path) -> None:
        """Again only once its key is revoked."""

        def made() -> str:
            file = tmp_path / "demo" / "api-token"
            return make_api_token(file=file, at=timezone.now(), actor=Actor("demo"))

        first, again = made(), made()
        [key] = ApiKey.objects.all()
        person = Actor("Paolo Greco", 1)
        revoke_key(key_id=key.pk, reason="lost", at=timezone.now(), actor=person)

        assert again == first
        assert key.networks == ["127.0.0.0/8", "::1/128"]
        assert made() not in (first, "")
        assert (tmp_path / "demo" / "api-token").stat().st_mode & 0o077 == 0

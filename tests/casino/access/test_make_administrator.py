"""``manage.py make_administrator`` makes the first two administrators, recorded."""

import getpass
import re
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from casino.access.account_status import status_of
from casino.access.models import AccessNotice
from compliance.trail.models import AuditRecord
from tests.casino.backoffice.people.people import somebody

pytestmark = pytest.mark.django_db

COMMAND: Final = "make_administrator"


def make(name: str, *options: str) -> None:
    """Runs the command for a person of this name."""
    mail = f"{name}@casino.example"
    arguments = ("--username", name, "--first-name", name, "--last-name", "Rossi", "--email", mail)
    call_command(COMMAND, *arguments, *options)


def administrators() -> set[str]:
    """The names of the active administrators."""
    administrators = User.objects.filter(is_active=True, groups__name="administrator")
    return set(administrators.values_list("username", flat=True))


class TestTheFirstAdministrators:
    def test_are_two(self) -> None:
        """The command makes no third."""
        make("ada")
        make("bruno")
        with pytest.raises(CommandError, match="there are two administrators"):
            make("carla")

        assert administrators() == {"ada", "bruno"}

    def test_get_a_password_for_one_use(self, capsys: pytest.CaptureFixture[str]) -> None:
        """It is printed once and not recorded."""
        make("ada")

        [password] = re.findall(r"One-time password: (\S+)", capsys.readouterr().out)
        ada = User.objects.get(username="ada")
        assert ada.check_password(password)
        assert status_of(ada).must_change_password
        assert password not in str(list(AuditRecord.objects.values_list("details", flat=True)))

    def test_are_recorded(self) -> None:
        """With the operating system's account and the host."""
        make("ada")

        record = AuditRecord.objects.get(action="ADMINISTRATOR_MADE")
        assert record.subject == f"user:{User.objects.get().pk}"
        assert record.actor.startswith(f"{getpass.getuser()} on ")

    def test_have_no_delay_in_a_new_installation(self) -> None:
        """There is no other person with deciding permissions."""
        make("ada")

        assert status_of(User.objects.get(username="ada")).decides_from is None

    def test_have_the_delay_if_another_person_decides(self) -> None:
        """The delay of new administrators applies."""
        somebody("clerk", "payments")
        make("ada")

        assert status_of(User.objects.get(username="ada")).decides_from is not None

    @pytest.mark.parametrize(
        ("option", "value"), [("--username", "a b"), ("--email", "x"), ("--first-name", " ")]
    )
    def test_have_a_name_and_an_address(
        self, option: str, value: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Invalid values are refused."""
        monkeypatch.setattr("builtins.input", lambda _prompt: "")
        with pytest.raises(CommandError):
            make("ada", option, value)

        assert not User.objects.exists()


class TestAnAdministratorWhoCannotLogIn:
    def test_is_replaced_on_the_host(self) -> None:
        """One of two administrators cannot reset the other alone."""
        officer = somebody("officer", "compliance")
        make("ada")
        make("bruno")
        make("carla", "--replace", "bruno")

        assert administrators() == {"ada", "carla"}
        notices = AccessNotice.objects.filter(recipient=officer).values_list("action", flat=True)
        assert list(notices.order_by("pk"))[-2:] == ["ACCOUNT_CLOSED", "ADMINISTRATOR_MADE"]

    def test_is_an_administrator(self) -> None:
        """Other accounts are refused."""
        somebody("clerk", "payments")
        make("ada")
        make("bruno")
        with pytest.raises(CommandError, match="clerk is not an administrator"):
            make("carla", "--replace", "clerk")

        assert administrators() == {"ada", "bruno"}
        assert User.objects.get(username="clerk").is_active

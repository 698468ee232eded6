"""New passwords: long, of any characters, and none that is guessed first (OWASP ASVS 5, 6.2)."""

from datetime import timedelta
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import get_default_password_validators
from django.contrib.auth.password_validation import validate_password as validate
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from casino.access.changes import password_half
from casino.access.models import AccessEvent
from tests.casino.backoffice.conftest import PASSWORD, newcomer
from tests.casino.backoffice.people.people import changed

MARIO: Final = User(
    username="mbianchi", first_name="Mario", last_name="Bianchi", email="mario.b@venezia.example"
)
NEW: Final = "/admin/password_change/"


def errors_of(password: str) -> str:
    """What is wrong with Mario's new password; nothing if it is accepted."""
    try:
        validate(password, MARIO)
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


class TestAPassword:
    @pytest.mark.parametrize(
        "password",
        [
            "tovaglia verde otto",
            "only lower case",
            "ONLY UPPER CASE",
            "83150297460519",  # fourteen digits in no order
            "è così, però più lungo",
            "紙牌遊戲賭場籌碼莊家紅黑",
            "x" + "7q Lm" * 30,
        ],
    )
    def test_may_be_of_any_characters(self, password: str) -> None:
        """No rules of composition."""
        assert errors_of(password) == ""

    @pytest.mark.parametrize("length", [128, 1000])
    @pytest.mark.django_db
    def test_counts_to_its_last_character(self, length: int) -> None:
        """Nothing is cut off: neither by the page nor by the hash."""
        long = ("otto tovaglie verdi " * length)[:length]
        person = newcomer("auditor")
        desk = Client()
        desk.force_login(person)

        new = dict.fromkeys(["new_password1", "new_password2"], long)
        answer = desk.post(NEW, {"old_password": PASSWORD, **new})

        assert answer.status_code == 302
        person.refresh_from_db()
        assert person.check_password(long)
        assert not person.check_password(long[:-1])

    def test_has_twelve_characters(self) -> None:
        """Eleven are refused, whatever they are."""
        assert "12" in errors_of("q8 Zr#t1!vX")
        assert errors_of("q8 Zr#t1!vX2") == ""

    @pytest.mark.parametrize(
        ("password", "why"),
        [
            ("password1234567", "a common password"),
            ("qwertyuiop[]", "a row of keys"),
            ("zaq12wsxcde34rfv", "a common password"),
            ("aaaaaaaaaaaaaaaa", "a repetition"),
            ("abcdefghijklmn", "a sequence"),
            ("mario.bianchi1980", "your name"),
            ("mbianchi-mbianchi", "your name"),
            ("Venezia12345!", "your name"),
            ("SabotCasino2026", "Sabot"),
            ("GrandCasinoLido1", "Sabot"),
        ],
    )
    def test_that_everybody_tries_first_is_refused(
        self, password: str, why: str, settings: Settings
    ) -> None:
        """Leaked ones, keys in a row, and names of the person, the operator and the site."""
        settings.OPERATOR_NAME = "Grand Casino Lido S.p.A."

        assert why in errors_of(password)

    def test_that_leaked_is_refused_though_it_looks_strong(self) -> None:
        """One of Django's list of leaked passwords that the estimate rates best."""
        assert "too common" in errors_of("s8ylpe9jdpvym")

    def test_is_refused_in_italian(self) -> None:
        """With what to change."""
        with translation.override("it"):
            message = errors_of("mario.bianchi1980")

        assert "facile da indovinare" in message
        assert "Aggiungere due o tre parole" in message

    def test_of_one_time_is_as_strong(self) -> None:
        """Two halves, as administrators hand them out."""
        assert errors_of(f"{password_half()}-{password_half()}") == ""

    def test_is_explained_next_to_the_field(self) -> None:
        """One text for each rule."""
        texts = [validator.get_help_text() for validator in get_default_password_validators()]

        assert "uncommon words" in " ".join(texts)


@pytest.mark.django_db
class TestAOneTimePassword:
    @pytest.mark.parametrize("kind", ["account_created", "password_reset"])
    def test_expires_after_a_week(self, kind: str) -> None:
        """With the right password the login says so; nobody is let in."""
        person, browser = newcomer("auditor"), Client()
        browser.cookies["django_language"] = "en"
        changed(person, AccessEvent.Kind(kind), hours_ago=7 * 24)

        answer = browser.post("/admin/login/", {"username": "auditor", "password": PASSWORD})

        assert "This one-time password expired on" in answer.content.decode()
        assert "_auth_user_id" not in browser.session

    def test_is_valid_until_then(self, settings: Settings) -> None:
        """For as long as the installation says."""
        changed(newcomer("auditor"), AccessEvent.Kind.PASSWORD_RESET, hours_ago=47)
        form = {"username": "auditor", "password": PASSWORD}

        week = Client().post("/admin/login/", form).status_code
        settings.ONE_TIME_PASSWORD_LIFETIME = timedelta(days=1)
        day = Client().post("/admin/login/", form).status_code

        assert (week, day) == (302, 200)

    def test_that_was_replaced_does_not_expire(self) -> None:
        """Passwords of one's own have no end."""
        person = newcomer("auditor")
        changed(person, AccessEvent.Kind.PASSWORD_RESET, hours_ago=1000)
        changed(person, AccessEvent.Kind.PASSWORD_CHANGED, hours_ago=999)

        answer = Client().post("/admin/login/", {"username": "auditor", "password": PASSWORD})

        assert answer.status_code == 302

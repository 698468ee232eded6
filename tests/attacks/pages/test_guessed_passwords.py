"""Guessing passwords: what it costs, what it tells, and where else it could be tried."""

from collections.abc import Iterator
from threading import Timer
from typing import Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from casino.access.models import LoginFailure
from casino.access.passwords.turns import AT_ONCE
from tests.attacks.pages.counted_hashes import HASHER, CountedHasher
from tests.casino.backoffice.conftest import PASSWORD, newcomer
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db

LOGIN: Final = "/admin/login/"
CHANGE: Final = "/admin/password_change/"
HERE: Final = "192.0.2.7"


@pytest.fixture
def auditor(settings: Settings) -> User:
    """The account under attack; its password is hashed by the hasher that counts."""
    settings.PASSWORD_HASHERS = [HASHER]
    return newcomer("auditor")


@pytest.fixture
def flood() -> Iterator[None]:
    """Another login is being verified in this process all the time."""
    with AT_ONCE:
        yield


def log_in(browser: Client, name: str = "auditor", password: str = "wrong") -> int:  # noqa: S107  a guess
    """The status of the answer."""
    form = {"username": name, "password": password}
    return browser.post(LOGIN, form, REMOTE_ADDR=HERE).status_code


def hashes_of(name: str, password: str = "wrong") -> int:  # noqa: S107  as above
    """How many passwords the site hashes for one login."""
    before = CountedHasher.times
    log_in(Client(), name, password)
    return CountedHasher.times - before


class TestTheWork:
    def test_is_the_same_for_names_that_nobody_has(self, auditor: User) -> None:
        """The time of the answer tells nobody which accounts exist, are closed or are unused."""
        User.objects.create_user("closed", password=PASSWORD, is_active=False)
        User.objects.create_user("requested")  # an account without a password, until two approve
        User.objects.create_superuser("root", password=PASSWORD)
        names = ("auditor", "nobody", "closed", "requested", "root")

        assert {name: hashes_of(name) for name in names} == dict.fromkeys(names, 1)
        assert (hashes_of("closed", PASSWORD), hashes_of("root", PASSWORD)) == (1, 1)

    @pytest.mark.parametrize("name", ["auditor", "nobody"])
    def test_is_none_for_a_locked_account(self, auditor: User, name: str) -> None:
        """The counts are read before anything is hashed."""
        for _ in range(5):
            log_in(Client(), name)

        assert hashes_of(name) == 0


@pytest.mark.usefixtures("flood")
class TestAFloodOfLogins:
    def test_occupies_one_thread_of_a_process(self, auditor: User) -> None:
        """Strangers are told to try again; nothing is hashed, counted or recorded."""
        before = CountedHasher.times

        answer = Client().post(LOGIN, {"username": "auditor", "password": PASSWORD})

        assert (answer.status_code, answer["Retry-After"]) == (503, "2")
        assert CountedHasher.times == before
        assert not LoginFailure.objects.exists()
        assert audit_records("LOGIN_FAILED") == []

    def test_delays_a_browser_that_the_account_knows(self, auditor: User) -> None:
        """It waits for its turn and gets in."""
        AT_ONCE.release()
        own = Client()
        log_in(own, password=PASSWORD)
        own.cookies.pop("sessionid")
        AT_ONCE.acquire()
        turn = Timer(0.2, AT_ONCE.release)
        turn.start()

        status = log_in(own, password=PASSWORD)

        turn.join()
        AT_ONCE.acquire()  # the fixture ends the flood
        assert status == 302


class TestTheOldPassword:
    def test_is_not_guessed_at_a_page_left_open(self, auditor: User) -> None:
        """The page to change it counts as the login does, and is locked with it."""
        desk = Client(REMOTE_ADDR=HERE)
        desk.force_login(auditor)
        new = dict.fromkeys(["new_password1", "new_password2"], "another long enough one")

        for number in range(5):
            desk.post(CHANGE, {"old_password": f"guess {number}", **new})
        desk.post(CHANGE, {"old_password": PASSWORD, **new})

        assert LoginFailure.objects.count() == 5
        assert [details["reason"] for *_, details in audit_records("LOCKED_OUT")]
        auditor.refresh_from_db()
        assert auditor.check_password(PASSWORD)

"""One password tried on many accounts locks its address, and no flood fills the audit log."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from pytest_django import Settings

from casino import settings as configured
from casino.access.models import LoginFailure
from compliance.trail.models import AuditRecord
from tests.casino.backoffice.conftest import PASSWORD, newcomer
from tests.casino.backoffice.second_factors import code_of, wrong_code
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db

LOGIN: Final = "/admin/login/"
STEP: Final = "/admin/login/second/"
OFFICE: Final = "203.0.113.1"
_MOST: Final = 8


@pytest.fixture(autouse=True)
def _few_failures(settings: Settings) -> None:
    """A lower limit than that of an installation: each failure is a login."""
    settings.ADDRESS_FAILURE_LIMIT = _MOST


@pytest.fixture
def auditor() -> User:
    """A person of the office that is attacked from within; auditors need no second factor."""
    return newcomer("auditor")


def log_in(
    browser: Client, name: str = "auditor", password: str = PASSWORD, *, address: str = OFFICE
) -> Any:
    """The answer of the login page."""
    browser.cookies["django_language"] = "en"
    form = {"username": name, "password": password}
    return browser.post(LOGIN, form, REMOTE_ADDR=address)


def spray(times: int, *, address: str = OFFICE, first: int = 1) -> list[int]:
    """One password on as many names; the statuses."""
    return [
        log_in(Client(), f"name-{first + number}", "Estate2026!", address=address).status_code
        for number in range(times)
    ]


class TestAnAddress:
    @pytest.mark.slow
    def test_is_locked_at_the_hundredth_failure(self, settings: Settings) -> None:
        """Whatever the names are."""
        settings.ADDRESS_FAILURE_LIMIT = configured.ADDRESS_FAILURE_LIMIT

        assert spray(101) == [200] * 99 + [429, 429]

    def test_that_is_locked_is_refused_with_the_right_password(self, auditor: User) -> None:
        """A guess that hits tells nothing any more."""
        spray(_MOST)

        answer = log_in(Client())

        assert answer.status_code == 429
        assert "sessionid" not in answer.cookies
        assert "Too many failed logins from your network" in answer.content.decode()

    def test_leaves_other_addresses_alone(self, auditor: User) -> None:
        """Each has its count."""
        spray(_MOST)

        assert log_in(Client(), address="203.0.113.2").status_code == 302

    def test_is_a_whole_network_of_ipv6(self, auditor: User) -> None:
        """One customer has all 64 bits."""
        for number in range(1, _MOST + 1):
            spray(1, address=f"2001:db8:1:2::{number}", first=number)

        assert log_in(Client(), address="2001:db8:1:2:ffff::1").status_code == 429
        assert log_in(Client(), address="2001:db8:1:3::1").status_code == 302

    def test_is_unlocked_after_an_hour_despite_further_attempts(self, auditor: User) -> None:
        """Attempts during the lock are not counted."""
        spray(_MOST)
        LoginFailure.objects.update(at=F("at") - timedelta(minutes=59))
        meanwhile = spray(3, first=100)
        LoginFailure.objects.update(at=F("at") - timedelta(minutes=1))

        assert meanwhile == [429] * 3
        assert log_in(Client()).status_code == 302

    def test_counts_on_after_a_login_of_the_attackers_own(self, auditor: User) -> None:
        """A success forgets the failures of its account, not those of others."""
        spray(_MOST - 1)
        log_in(Client())

        assert spray(1, first=50) == [429]

    def test_counts_codes_too(self, signer: User) -> None:
        """Of a second factor, together with passwords."""
        spray(_MOST - 1)
        thief = Client(REMOTE_ADDR=OFFICE, headers={"host": "localhost"})
        log_in(thief, "supervisor")
        thief.post(STEP, {"code": wrong_code(signer)})

        answer = thief.post(STEP, {"code": code_of(signer)})

        assert answer.status_code == 429
        assert "_auth_user_id" not in thief.session

    def test_that_is_unknown_is_not_locked(self, auditor: User) -> None:
        """A proxy on a socket: all browsers would share the lock."""
        spray(_MOST, address="")

        assert log_in(Client(), address="").status_code == 302


class TestTheOwnersBrowser:
    def test_gets_in_from_an_address_that_is_locked(self, auditor: User) -> None:
        """One machine of the office locks out nobody who has logged in before."""
        own = Client()
        log_in(own)
        own.cookies.pop("sessionid")
        spray(_MOST)

        assert log_in(Client()).status_code == 429
        assert log_in(own).status_code == 302

    def test_takes_the_second_step_there(self, signer: User) -> None:
        """The code is accepted from it, too."""
        own = Client(REMOTE_ADDR=OFFICE, headers={"host": "localhost"})
        log_in(own, "supervisor")
        own.post(STEP, {"code": code_of(signer)})
        own.cookies.pop("sessionid")
        spray(_MOST)

        log_in(own, "supervisor")
        answer = own.post(STEP, {"code": code_of(signer)})

        assert answer.status_code == 302
        assert own.session["_auth_user_id"] == str(signer.pk)


class TestTheLog:
    def test_has_one_record_of_a_lock(self) -> None:
        """With the address, the count and the time; further attempts leave nothing."""
        spray(_MOST)
        before = AuditRecord.objects.count()
        spray(5, first=100)

        [(actor, subject, details)] = audit_records("LOCKED_OUT")
        assert (actor, subject) == ("not logged in", "user:unknown")
        assert details == {
            "reason": "failed_address",
            "failures": _MOST,
            "minutes": 60,
            "address": OFFICE,
        }
        assert AuditRecord.objects.count() == before

    @pytest.mark.parametrize("attempts", [3, 12])
    def test_is_not_filled_at_a_locked_account(self, auditor: User, attempts: int) -> None:
        """As many records however often it is tried."""
        for _ in range(5 + attempts):
            log_in(Client(), password=PASSWORD + "!")

        assert len(audit_records("LOGIN_FAILED")) == 5
        assert len(audit_records("LOCKED_OUT")) == 1

    def test_is_not_filled_with_names_that_nobody_has(self, auditor: User) -> None:
        """From many addresses: as many an hour as lock one address, and those of accounts all."""
        for number in range(_MOST * 3):
            spray(1, address=f"198.51.100.{number}", first=number)
        log_in(Client(), password=PASSWORD + "!")

        reasons = [details["reason"] for *_, details in audit_records("LOGIN_FAILED")]
        assert reasons == ["unknown_account"] * _MOST + ["wrong_password"]

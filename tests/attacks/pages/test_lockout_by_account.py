"""Failed logins from many addresses lock an account, except for its owner's browser (issue 17)."""

from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db.models import F
from django.test import Client
from pytest_django import Settings

from casino import settings as configured
from casino.access.models import AccessNotice, LoginFailure
from tests.casino.backoffice.conftest import PASSWORD, newcomer, person
from tests.casino.backoffice.people.people import browser_of
from tests.casino.backoffice.second_factors import code_of, give_phone, wrong_code
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db

LOGIN: Final = "/admin/login/"
STEP: Final = "/admin/login/second/"
CONFIRM: Final = "/admin/security/confirm/"
OFFICE: Final = "203.0.113.1"
_MOST: Final = 8


def log_in(
    browser: Client, password: str = PASSWORD, *, address: str = OFFICE, name: str = "auditor"
) -> Any:
    """The answer of the login page."""
    browser.cookies["django_language"] = "en"
    form = {"username": name, "password": password}
    return browser.post(LOGIN, form, REMOTE_ADDR=address)


def guess(times: int, *, name: str = "auditor", first: int = 1) -> list[int]:
    """Fails to log in, each time from another address; returns the statuses."""
    return [
        log_in(Client(), "wrong", address=f"198.51.100.{first + number}", name=name).status_code
        for number in range(times)
    ]


def let_pass(**span: float) -> None:
    """Dates all counted failures back."""
    LoginFailure.objects.update(at=F("at") - timedelta(**span))


@pytest.fixture(autouse=True)
def _few_failures(settings: Settings) -> None:
    """A lower limit than that of an installation: each failure is a login."""
    settings.ACCOUNT_FAILURE_LIMIT = _MOST


@pytest.fixture
def auditor() -> User:
    """The account under attack, which has no second factor yet."""
    return newcomer("auditor")


class TestGuessingFromManyAddresses:
    @pytest.mark.slow
    def test_locks_the_account_at_the_twentieth(self, auditor: User, settings: Settings) -> None:
        """From then on the right password is refused, too."""
        settings.ACCOUNT_FAILURE_LIMIT = configured.ACCOUNT_FAILURE_LIMIT

        statuses = guess(21)

        assert statuses == [200] * 19 + [429, 429]
        answer = log_in(Client())
        assert answer.status_code == 429
        assert "sessionid" not in answer.cookies
        assert "this account is locked until" in answer.content.decode()

    def test_is_recorded_once(self, auditor: User) -> None:
        """With the count and the time."""
        guess(_MOST + 5)

        [(_actor, subject, details)] = audit_records("LOCKED_OUT")
        assert subject == f"user:{auditor.pk}"
        assert (details["reason"], details["failures"]) == ("failed_anywhere", _MOST)
        assert details["minutes"] == 24 * 60

    def test_ends_after_a_day_despite_further_attempts(self, auditor: User) -> None:
        """Attempts during the lock are not counted."""
        guess(_MOST)
        let_pass(hours=23)
        meanwhile = guess(5, first=100)
        let_pass(hours=1)

        assert meanwhile == [429] * 5
        assert log_in(Client()).status_code == 302

    def test_of_a_name_that_no_account_has_looks_the_same(self) -> None:
        """Answers do not reveal which accounts exist; the name is not stored."""
        assert guess(_MOST + 1, name="my secret") == [200] * (_MOST - 1) + [429, 429]
        assert "my secret" not in str(list(LoginFailure.objects.values()))

    def test_leaves_other_accounts_alone(self, auditor: User) -> None:
        """Each account has its own count."""
        person("payments")
        guess(_MOST)

        assert log_in(Client(), name="payments").status_code == 302

    def test_of_codes_locks_too(self, signer: User) -> None:
        """Passwords and codes are counted together."""
        code, statuses = wrong_code(signer), []
        for number in range(_MOST + 1):
            browser = Client(REMOTE_ADDR=f"198.51.100.{number}", headers={"host": "localhost"})
            log_in(browser, address=f"198.51.100.{number}", name="supervisor")
            statuses.append(browser.post(STEP, {"code": code}).status_code)

        assert statuses[_MOST - 1] == 429
        last = Client(REMOTE_ADDR=OFFICE, headers={"host": "localhost"})
        assert log_in(last, name="supervisor").status_code == 429
        assert "_auth_user_id" not in last.session

    @pytest.mark.slow
    def test_of_codes_in_a_stolen_session_locks(self, desk: Client, signer: User) -> None:
        """Without the browser's cookie, from changing addresses."""
        code = wrong_code(signer)
        for number in range(_MOST):
            desk.post(CONFIRM, {"code": code}, REMOTE_ADDR=f"198.51.100.{number}")

        answer = desk.post(CONFIRM, {"code": code_of(signer)}, REMOTE_ADDR=OFFICE)

        assert answer.status_code == 429
        assert audit_records("IDENTITY_CONFIRMED") == []

    def test_of_one_ipv6_customer_counts_as_one_address(self, auditor: User) -> None:
        """Addresses of a /64 count as one."""
        statuses = [
            log_in(Client(), "wrong", address=f"2001:db8:1:2::{number}").status_code
            for number in range(1, 6)
        ]

        assert statuses == [200, 200, 200, 200, 429]
        assert log_in(Client(), address="2001:db8:1:2:ffff::1").status_code == 429
        assert log_in(Client(), address="2001:db8:1:3::1").status_code == 302
        addresses = [details["address"] for *_rest, details in audit_records("LOGIN_FAILED")]
        assert addresses[0] == "2001:db8:1:2::1"  # the trail has it whole


class TestTheOwnersBrowser:
    def test_gets_in_while_the_account_is_locked(self, auditor: User) -> None:
        """A known browser may log in; a new one is refused."""
        own = Client()
        log_in(own)
        own.cookies.pop("sessionid")
        guess(_MOST)

        assert log_in(own, address="192.0.2.55").status_code == 302
        assert log_in(Client(), address="192.0.2.56").status_code == 429

    def test_stolen_is_not_trusted_after_five_failures(self, auditor: User) -> None:
        """The cookie allows five failures per 15 minutes."""
        own = Client()
        log_in(own)
        own.cookies.pop("sessionid")
        guess(_MOST)

        for number in range(5):
            log_in(own, "wrong", address=f"198.51.100.{200 + number}")

        assert log_in(own, address=OFFICE).status_code == 429

    def test_is_forgotten_with_a_new_password(self, auditor: User) -> None:
        """Browsers known before are forgotten."""
        own = Client()
        log_in(own)
        own.cookies.pop("sessionid")
        auditor.set_password(PASSWORD + "!")
        auditor.save()
        guess(_MOST)

        assert log_in(own, PASSWORD + "!").status_code == 429

    def test_that_sets_a_new_password_stays_known(self, auditor: User) -> None:
        """Only the others are forgotten."""
        own, new = Client(), "another long enough one"
        log_in(own)
        form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
        answer = own.post("/admin/password_change/", form)
        own.cookies.pop("sessionid")
        guess(_MOST)

        assert answer.status_code == 302
        assert log_in(own, new, address="192.0.2.55").status_code == 302

    def test_of_another_account_opens_nothing(self, auditor: User) -> None:
        """The cookie is bound to its account."""
        other = person("payments")
        own = Client()
        log_in(own, name="payments")
        own.post(STEP, {"code": code_of(other)}, REMOTE_ADDR=OFFICE)
        stolen = own.cookies[f"known_browser_{other.pk}"].value
        guess(_MOST)

        thief = Client()
        thief.cookies[f"known_browser_{auditor.pk}"] = stolen
        assert log_in(thief).status_code == 429

    def test_has_a_cookie_that_no_script_reads(self, auditor: User) -> None:
        """HttpOnly and SameSite=Strict."""
        cookie = log_in(Client()).cookies[f"known_browser_{auditor.pk}"]

        assert cookie["httponly"]
        assert cookie["samesite"] == "Strict"

    def test_is_set_by_this_host_only(self, auditor: User, settings: Settings) -> None:
        """A sibling domain cannot set one with this prefix."""
        settings.COOKIE_PREFIX, settings.SESSION_COOKIE_SECURE = "__Host-", True
        cookie = log_in(Client()).cookies[f"__Host-known_browser_{auditor.pk}"]

        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


class TestUnlocking:
    def test_is_recorded(self, auditor: User) -> None:
        """An administrator unlocks with a second factor; notices are sent."""
        guess(_MOST)
        someone = person("administrator")
        administrator = browser_of(someone)

        page = administrator.get(f"/admin/people/{auditor.pk}/").content.decode()
        unlock = f"/admin/people/{auditor.pk}/unlock/"
        refused = administrator.post(unlock, follow=True).content.decode()
        still = log_in(Client()).status_code
        answer = administrator.post(unlock, {"code": code_of(someone)})

        assert "Unlock account" in page
        assert "six-digit code" in refused
        assert (still, answer.status_code) == (429, 302)
        [(actor, subject, details)] = audit_records("ACCOUNT_UNLOCKED")
        assert (actor, subject) == ("administrator", f"user:{auditor.pk}")
        assert details["failures"] == _MOST
        notice = AccessNotice.objects.get(action="ACCOUNT_UNLOCKED")
        assert (notice.recipient, notice.actor) == (auditor, "administrator")
        assert log_in(Client()).status_code == 302

    def test_by_a_wrong_code_counts_the_code(self, auditor: User) -> None:
        """The button cannot be used to guess codes."""
        someone = person("administrator")

        browser_of(someone).post(f"/admin/people/{auditor.pk}/unlock/", {"code": "000000"})

        assert LoginFailure.objects.count() == 1

    def test_is_limited_to_administrators(self, auditor: User) -> None:
        """Not even the owner may unlock."""
        guess(_MOST)
        give_phone(auditor)
        desk = Client(REMOTE_ADDR=OFFICE)
        desk.force_login(auditor)

        assert desk.post(f"/admin/people/{auditor.pk}/unlock/").status_code == 403
        assert audit_records("ACCOUNT_UNLOCKED") == []

    def test_by_command_is_recorded(self, auditor: User) -> None:
        """For a locked administrator."""
        person("administrator")
        guess(_MOST)

        call_command("unlock_account", "auditor", "--by", "administrator", verbosity=0)

        [(actor, _subject, _details)] = audit_records("ACCOUNT_UNLOCKED")
        assert actor == "administrator"
        assert log_in(Client()).status_code == 302

    def test_by_command_requires_an_administrator(self, auditor: User) -> None:
        """Other users are refused."""
        with pytest.raises(CommandError, match="needed an administrator"):
            call_command("unlock_account", "auditor", "--by", "auditor")

"""Logins, failed logins and locks are recorded."""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, Final

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from pytest_django import Settings

from compliance.trail.action_labels import action_label
from compliance.trail.models import AuditRecord
from tests.casino.backoffice.conftest import PASSWORD, newcomer

pytestmark = pytest.mark.django_db

HERE: Final = "192.0.2.7"
ELSEWHERE: Final = "198.51.100.9"


@pytest.fixture
def supervisor() -> User:
    """The account under attack."""
    return newcomer("supervisor")


def log_in(
    name: str = "supervisor",
    password: str = PASSWORD,
    *,
    address: str = HERE,
    language: str = "en",
    headers: Mapping[str, str] | None = None,
) -> Any:
    """The answer of the login page to a new browser."""
    browser = Client(REMOTE_ADDR=address)
    browser.cookies["django_language"] = language
    form = {"username": name, "password": password}
    return browser.post("/admin/login/", form, headers=headers)


def fail(times: int, **tried: Any) -> list[int]:
    """Logs in with wrong passwords; returns the statuses."""
    return [log_in(password=f"wrong {n}", **tried).status_code for n in range(times)]


def let_pass(**span: float) -> None:
    """Dates all counted failures back."""
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(**span))


def recorded() -> Iterator[tuple[str, str, int | None, str, dict[str, Any]]]:
    """The audit records of logins, oldest first."""
    for row in AuditRecord.objects.order_by("id"):
        yield row.action, row.actor, row.actor_user_id, row.subject, row.details


class TestAnAccountThatIsTriedTooOften:
    def test_is_locked_by_the_fifth_failure(self, supervisor: User) -> None:
        """The fifth failure is answered 429."""
        assert fail(5) == [200, 200, 200, 200, 429]

    def test_is_refused_with_the_right_password(self, supervisor: User) -> None:
        """During the lock."""
        fail(5)

        answer = log_in()

        assert answer.status_code == 429
        assert "sessionid" not in answer.cookies

    @pytest.mark.parametrize(
        ("language", "words"),
        [
            ("en", "Too many failed logins: this account is locked for this browser until "),
            ("it", "Troppi accessi non riusciti: per questo browser l’account è bloccato fino al "),
        ],
    )
    def test_gets_the_end_of_the_lock(self, supervisor: User, language: str, words: str) -> None:
        """The page has the end of the lock."""
        fail(5)

        page = log_in(language=language).content.decode()

        assert re.search(rf"{words}\d+ \w+\.?, \d\d:\d\d:\d\d", page)

    def test_can_log_in_after_the_cool_down(self, supervisor: User) -> None:
        """After fifteen minutes, not before."""
        fail(5)

        let_pass(minutes=14, seconds=30)
        before = log_in().status_code
        let_pass(seconds=30)
        after = log_in().status_code

        assert (before, after) == (429, 302)

    def test_is_not_locked_longer_by_trying_meanwhile(self, supervisor: User) -> None:
        """An attacker cannot extend the lock."""
        fail(5)
        let_pass(minutes=10)
        fail(5)
        let_pass(minutes=5)

        assert log_in().status_code == 302

    def test_cannot_be_tried_more_often_by_naming_other_browsers(self, supervisor: User) -> None:
        """The user agent does not matter."""
        fail(3)
        let_pass(minutes=10)
        fail(2, headers={"User-Agent": "another"})
        let_pass(minutes=10)

        assert log_in().status_code == 429

    def test_leaves_other_accounts_alone(self, supervisor: User) -> None:
        """Several people share an address."""
        newcomer("payments")
        fail(5)

        assert log_in("payments").status_code == 302

    def test_leaves_other_addresses_alone(self, supervisor: User) -> None:
        """Other addresses of the account are not locked."""
        fail(5, address=ELSEWHERE)

        assert log_in(address=HERE).status_code == 302

    def test_that_does_not_exist_is_locked_too(self) -> None:
        """Answers do not reveal which accounts exist."""
        assert fail(6, name="nobody") == [200, 200, 200, 200, 429, 429]


class TestTheCount:
    def test_starts_anew_after_a_login(self, supervisor: User) -> None:
        """A success resets the count."""
        fail(4)
        log_in()

        assert fail(4) == [200, 200, 200, 200]

    def test_starts_anew_after_a_quarter_of_an_hour(self, supervisor: User) -> None:
        """Older failures are not counted."""
        fail(4)
        let_pass(minutes=15)

        assert fail(4) == [200, 200, 200, 200]

    def test_and_the_cool_down_are_set_by_the_installation(
        self, supervisor: User, settings: Settings
    ) -> None:
        """LOGIN_FAILURES and LOGIN_LOCKOUT_MINUTES."""
        settings.AXES_FAILURE_LIMIT = 2
        settings.AXES_COOLOFF_TIME = timedelta(minutes=1)

        failed = fail(2)
        let_pass(minutes=1)

        assert (failed, log_in().status_code) == ([200, 429], 302)


class TestTheAddress:
    def test_is_that_seen_by_the_configured_proxy(
        self, supervisor: User, settings: Settings
    ) -> None:
        """Earlier entries of X-Forwarded-For are not trusted."""
        settings.TRUSTED_PROXIES = 1

        passed_on = [{"X-Forwarded-For": f"10.0.0.{n}, {ELSEWHERE}"} for n in range(5)]
        statuses = [fail(1, address="127.0.0.1", headers=headers) for headers in passed_on]

        assert statuses[-1] == [429]
        assert {details["address"] for *_, details in recorded()} == {ELSEWHERE}

    def test_ignores_the_header_without_a_proxy(self, supervisor: User) -> None:
        """The header is ignored without a configured proxy."""
        log_in(headers={"X-Forwarded-For": ELSEWHERE})

        assert [details["address"] for *_, details in recorded()] == [HERE]

    def test_that_is_invalid_is_replaced_by_the_proxys(
        self, supervisor: User, settings: Settings
    ) -> None:
        """The proxy's address is used."""
        settings.TRUSTED_PROXIES = 1

        log_in(headers={"X-Forwarded-For": "unknown"})

        assert [details["address"] for *_, details in recorded()] == [HERE]


class TestTheTrail:
    def test_names_who_logged_in(self, supervisor: User) -> None:
        """The actor is the person."""
        log_in()

        known = {"account": "supervisor", "address": HERE}
        subject = f"user:{supervisor.pk}"
        assert list(recorded()) == [("LOGGED_IN", "supervisor", supervisor.pk, subject, known)]

    def test_has_each_failure_and_the_lock_but_no_refusals(self, supervisor: User) -> None:
        """The actor is anonymous."""
        fail(5)
        log_in()

        known = {"account": "supervisor", "address": HERE}
        visitor = ("not logged in", None, f"user:{supervisor.pk}")
        wrong = ("LOGIN_FAILED", *visitor, {**known, "reason": "wrong_password"})
        lock = {**known, "reason": "failed_logins", "failures": 5, "minutes": 15}
        assert list(recorded()) == [*[wrong] * 5, ("LOCKED_OUT", *visitor, lock)]

    def test_names_closed_accounts(self, supervisor: User) -> None:
        """The reason is ``inactive_account``."""
        User.objects.update(is_active=False)

        log_in()

        [(_, _, _, _, details)] = recorded()
        assert details["reason"] == "inactive_account"

    def test_never_holds_a_name_that_no_account_has(self) -> None:
        """It may be a password in the wrong field."""
        log_in("my secret", "")
        log_in("my secret", "x")

        [login] = recorded()
        details = {"reason": "unknown_account", "address": HERE}
        assert login == ("LOGIN_FAILED", "not logged in", None, "user:unknown", details)

    def test_and_the_count_hold_no_password(self, supervisor: User) -> None:
        """Neither right nor wrong ones."""
        fail(5)
        log_in()

        counted = AccessAttempt.objects.get()
        stored = f"{list(recorded())} {vars(counted)}"
        assert "wrong" not in stored.replace("wrong_password", "")
        assert PASSWORD not in stored

    @pytest.mark.parametrize("action", ["LOGGED_IN", "LOGIN_FAILED", "LOCKED_OUT", "PAGE_VIEWED"])
    def test_has_labels_for_its_actions(self, action: str) -> None:
        """For the page of audit records."""
        assert action_label(action) != action

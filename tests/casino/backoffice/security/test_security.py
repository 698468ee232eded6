"""Phone, passkeys and recovery codes of a person (issue 5, point 7)."""

import base64
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.test import Client

from casino.backoffice.security.confirmation import is_confirmed
from compliance.trail.action_labels import action_label
from tests.casino.backoffice.conftest import PASSWORD, newcomer, person
from tests.casino.backoffice.second_factors import (
    CONFIRM,
    PHONE,
    Passkey,
    code_of,
    give_phone,
    offered,
    question_of,
    request_of,
    rfc_code,
    step_now,
)
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db

SECURITY = "/admin/security/"
PASSKEY = "/admin/security/passkey/"
CODES = "/admin/security/codes/"
REMOVE = "/admin/security/remove/"
BOTH = f"{CONFIRM}?both=1"


@pytest.fixture
def clerk() -> User:
    """A person with a password only."""
    return newcomer("payments")


@pytest.fixture
def browser(clerk: User) -> Client:
    """The clerk's browser, in English."""
    client = Client(headers={"host": "localhost"})
    client.force_login(clerk)
    client.cookies["django_language"] = "en"
    return client


def add_phone(browser: Client, *, code: str = "", password: str = PASSWORD) -> Any:
    """Adds the offered phone with its code and the password; returns the page."""
    right = rfc_code(offered(browser), step_now())
    return browser.post(PHONE, {"code": code or right, "password": password})


def kinds() -> list[str]:
    """The kinds of all second factors."""
    return sorted(Authenticator.objects.values_list("type", flat=True))


class TestAPhone:
    def test_is_added_with_a_code_of_it_and_the_password(
        self, browser: Client, clerk: User
    ) -> None:
        """Recovery codes are shown once; the session is confirmed."""
        page = add_phone(browser).content.decode()

        assert kinds() == ["recovery_codes", "totp"]
        assert len(re.findall(r'<li class="mono">\d{4} \d{4}</li>', page)) == 10
        assert is_confirmed(request_of(browser, clerk))
        added = {"factor": "phone", "account": "payments", "address": "127.0.0.1"}
        assert audit_records("FACTOR_ADDED") == [("payments", f"user:{clerk.pk}", added)]
        assert len(audit_records("RECOVERY_CODES_MADE")) == 1

    def test_has_a_secret_of_160_bits_of_its_own(self, browser: Client) -> None:
        """RFC 4226, 4: at least 128 bits, 160 recommended."""
        first, second = offered(browser), offered(browser)

        assert len(base64.b32decode(first)) == 20
        assert first != second

    def test_is_not_added_without_the_password(self, browser: Client) -> None:
        """A wrong password is a failed login."""
        page = add_phone(browser, password="wrong").content.decode()  # noqa: S106  a wrong one

        assert "Incorrect password." in page
        assert kinds() == []
        assert AccessAttempt.objects.get().failures_since_start == 1

    @pytest.mark.slow
    def test_is_not_added_when_the_account_is_locked(self, browser: Client) -> None:
        """As at the login."""
        answers = [add_phone(browser, password="wrong") for _ in range(5)]  # noqa: S106  a wrong one

        assert answers[-1].status_code == 429
        assert "locked for this browser until" in answers[-1].content.decode()

    def test_is_not_added_with_a_code_of_another(self, browser: Client) -> None:
        """The same secret is offered again."""
        secret = offered(browser)
        wrong = rfc_code("A" * 32, 1)

        page = browser.post(PHONE, {"code": wrong, "password": PASSWORD}).content.decode()

        assert "does not match the one shown on the phone" in page
        assert secret in page.replace(" ", "")
        assert kinds() == []

    def test_cannot_use_the_code_that_added_it_again(self, browser: Client, clerk: User) -> None:
        """Each code is accepted once."""
        secret = offered(browser)
        code = rfc_code(secret, step_now())
        browser.post(PHONE, {"code": code, "password": PASSWORD})

        assert browser.post(CONFIRM, {"code": code}).status_code == 200

    def test_is_the_only_one(self, browser: Client, clerk: User) -> None:
        """Another phone needs the removal of the first."""
        add_phone(browser)

        answer = browser.get(PHONE)

        assert (answer.status_code, answer["Location"]) == (302, SECURITY)


class TestAPasskey:
    def test_is_added_like_a_phone(self, browser: Client, clerk: User) -> None:
        """With a name."""
        answer = Passkey().enrol(question_of(browser, PASSKEY))

        form = {"credential": answer, "name": "key at the desk", "password": PASSWORD}
        browser.post(PASSKEY, form)

        assert kinds() == ["recovery_codes", "webauthn"]
        assert "key at the desk" in browser.get(SECURITY).content.decode()
        assert audit_records("FACTOR_ADDED")[0][2]["name"] == "key at the desk"

    @pytest.mark.parametrize("answer", ["", "x", "null", "{}", "[" * 10_000])
    def test_is_not_added_with_invalid_input(self, browser: Client, answer: str) -> None:
        """Invalid input is no server error."""
        question_of(browser, PASSKEY)

        page = browser.post(PASSKEY, {"credential": answer, "name": "x", "password": PASSWORD})

        assert "The browser did not create a" in page.content.decode()
        assert kinds() == []

    def test_is_not_added_with_another_challenge(self, browser: Client) -> None:
        """Each page has a new challenge."""
        answer = Passkey().enrol(question_of(browser, PASSKEY))
        question_of(browser, PASSKEY)

        browser.post(PASSKEY, {"credential": answer, "name": "x", "password": PASSWORD})

        assert kinds() == []


class TestAPersonWithAFactor:
    @pytest.mark.parametrize("page", [PHONE, PASSKEY])
    def test_adds_another_only_with_it(self, desk: Client, page: str) -> None:
        """A password is not enough to add a second one."""
        answer = desk.post(page, {"password": PASSWORD})

        assert answer["Location"] == f"{CONFIRM}?next={page.replace('/', '%2F')}&both=1"

    @pytest.mark.parametrize("page", [CODES, REMOVE])
    @pytest.mark.parametrize("has_confirmed", [False, True])
    def test_changes_nothing_by_one_factor(
        self, desk: Client, signer: User, page: str, *, has_confirmed: bool
    ) -> None:
        """New codes and removals need the password, too (OWASP ASVS 5, 7.5.1)."""
        if has_confirmed:
            desk.post(CONFIRM, {"code": code_of(signer)})

        answer = desk.post(page, {"factor": str(Authenticator.objects.get().pk)})

        assert answer["Location"] == f"{CONFIRM}?next=%2Fadmin%2Fsecurity%2F&both=1"
        assert kinds() == ["totp"]

    @pytest.mark.parametrize(("password", "code"), [("wrong", None), (PASSWORD, "000000")])
    def test_is_not_believed_with_one_of_both(
        self, desk: Client, signer: User, password: str, code: str | None
    ) -> None:
        """Each wrong one counts as a failed login; which it was is not told."""
        given = {"password": password, "code": code or code_of(signer)}

        page = desk.post(BOTH, given).content.decode()

        assert "The password or the code is incorrect" in page
        assert AccessAttempt.objects.get().failures_since_start == 1
        assert desk.post(CODES)["Location"].startswith(CONFIRM)

    def test_removes_it_with_its_recovery_codes(self, desk: Client, signer: User) -> None:
        """No recovery codes remain without a factor."""
        desk.post(BOTH, {"password": PASSWORD, "code": code_of(signer)})
        desk.post(CODES)

        desk.post(REMOVE, {"factor": str(Authenticator.objects.get(type="totp").pk)})

        assert kinds() == []
        removed = {"factor": "phone", "account": "supervisor", "address": "192.0.2.7"}
        assert audit_records("FACTOR_REMOVED") == [("supervisor", f"user:{signer.pk}", removed)]

    @pytest.mark.parametrize("key", ["other", "", "x", "\N{ARABIC-INDIC DIGIT THREE}", "9" * 5000])
    def test_removes_no_factor_of_another_person(
        self, desk: Client, signer: User, key: str
    ) -> None:
        """Nor unknown ones."""
        others = give_phone(person("payments"))
        desk.post(BOTH, {"password": PASSWORD, "code": code_of(signer)})

        answer = desk.post(REMOVE, {"factor": str(others.pk) if key == "other" else key})

        assert answer["Location"] == SECURITY
        assert kinds() == ["totp", "totp"]

    def test_sees_the_number_of_recovery_codes(self, desk: Client, signer: User) -> None:
        """The page has their number."""
        desk.post(BOTH, {"password": PASSWORD, "code": code_of(signer)})
        page = desk.post(CODES).content.decode()
        [first, *_] = re.findall(r'<li class="mono">(\d{4} \d{4})</li>', page)
        desk.post(CONFIRM, {"code": first})

        assert "9 codes left." in desk.get(SECURITY).content.decode()


class TestThePage:
    def test_is_in_the_menu_of_every_role(self, browser: Client) -> None:
        """For every role."""
        assert f'href="{SECURITY}"' in browser.get(SECURITY).content.decode()

    def test_says_what_is_missing(self, browser: Client) -> None:
        """The page asks for a second factor."""
        assert "You have no second factor yet" in browser.get(SECURITY).content.decode()

    @pytest.mark.parametrize(
        "action",
        [
            "IDENTITY_CONFIRMED",
            "RECOVERY_CODE_USED",
            "RECOVERY_CODES_MADE",
            "FACTOR_ADDED",
            "FACTOR_REMOVED",
        ],
    )
    def test_has_labels_for_its_actions(self, action: str) -> None:
        """For the page of audit records."""
        assert action_label(action) != action

"""Accounts are created, closed, reopened and edited."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.test import Client

from casino.access.models import AccessRequest
from tests.casino.backoffice.people.people import (
    PEOPLE,
    WHY,
    ask,
    browser_of,
    decide,
    password_on,
    roles_of,
)
from tests.casino.backoffice.second_factors import code_of
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db
NEW = {
    "username": "nina",
    "first_name": "Nina",
    "last_name": "Moro",
    "email": "nina@casino.example",
    "reason": WHY,
}


class TestANewPerson:
    def test_is_added_by_a_button_on_the_list(self, at_ada: Client) -> None:
        """The list links to the form."""
        page = at_ada.get(PEOPLE).content.decode()

        assert f'href="{PEOPLE}new/"' in page

    def test_is_requested_in_plain_words(self, at_ada: Client) -> None:
        """Name, e-mail and roles with descriptions; no framework fields."""
        page = at_ada.get(f"{PEOPLE}new/").content.decode()

        assert "Read-only access to everything" in page
        assert "Staff" not in page
        assert 'name="password' not in page

    def test_without_deciding_roles_can_log_in_immediately(self, at_ada: Client, ada: User) -> None:
        """An auditor gets a one-time password from one administrator."""
        form = {**NEW, "roles": ["auditor"], "code": code_of(ada)}

        password = password_on(at_ada.post(f"{PEOPLE}new/", form))

        nina = User.objects.get(username="nina")
        assert (nina.is_active, nina.check_password(password)) == (True, True)
        assert roles_of(nina) == {"auditor"}
        assert [record[2]["after"]["username"] for record in audit_records("ACCOUNT_CREATED")] == [
            "nina"
        ]
        assert password not in str(
            audit_records("ACCOUNT_CREATED") + audit_records("PASSWORD_RESET")
        )

    def test_with_deciding_roles_waits_for_a_second_administrator(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User
    ) -> None:
        """Then both halves make the password, and the account is active."""
        form = {**NEW, "roles": ["payments"], "code": code_of(ada)}
        first = password_on(at_ada.post(f"{PEOPLE}new/", form))
        [row] = AccessRequest.objects.all()
        nina = User.objects.get(username="nina")
        was_active = nina.is_active

        second = password_on(decide(at_bruno, bruno, row))

        nina.refresh_from_db()
        assert (was_active, nina.is_active, roles_of(nina)) == (False, True, {"payments"})
        assert nina.check_password(f"{first}-{second}")

    @pytest.mark.parametrize(
        "wrong",
        [
            {"username": "CLERK"},
            {"username": "a b"},
            {"username": "a\0b"},
            {"email": "nobody"},
            {"reason": ""},
            {"roles": ["administrator", "payments"]},
            {"roles": ["owner"]},
            {"code": ""},
            {"code": "000000"},
        ],
    )
    def test_is_not_added_by_a_wrong_form(
        self, at_ada: Client, ada: User, clerk: User, wrong: dict[str, str]
    ) -> None:
        """The form shows its errors."""
        form = {**NEW, "roles": ["auditor"], "code": code_of(ada), **wrong}

        answer = at_ada.post(f"{PEOPLE}new/", form)

        assert answer.status_code == 200
        assert 'role="alert"' in answer.content.decode()
        assert User.objects.count() == 2


class TestAClosedAccount:
    def test_is_closed_by_one_administrator_at_once(
        self, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """All sessions end; removing access needs no second person."""
        clerk_browser = browser_of(clerk)

        at_ada.post(f"{PEOPLE}{clerk.pk}/close/", {"code": code_of(ada)})

        assert [subject for _, subject, _ in audit_records("ACCOUNT_CLOSED")] == [
            f"user:{clerk.pk}"
        ]
        assert clerk_browser.get("/admin/").status_code == 302

    def test_is_not_closed_without_a_second_factor_nor_by_its_owner(
        self, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """So that an administrator remains."""
        at_ada.post(f"{PEOPLE}{clerk.pk}/close/", {"code": ""})
        at_ada.post(f"{PEOPLE}{ada.pk}/close/", {"code": code_of(ada)})

        assert User.objects.filter(is_active=True).count() == 2

    def test_is_reopened_by_two(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """With a new password in halves, without the former phone."""
        at_ada.post(f"{PEOPLE}{clerk.pk}/close/", {"code": code_of(ada)})
        first = password_on(ask(at_ada, ada, clerk, "reopen"))
        [row] = AccessRequest.objects.all()

        second = password_on(decide(at_bruno, bruno, row))

        clerk.refresh_from_db()
        assert (clerk.is_active, clerk.check_password(f"{first}-{second}")) == (True, True)
        assert not Authenticator.objects.filter(user=clerk).exists()


class TestTheDetailsOfAPerson:
    def test_are_changed_and_recorded(self, at_ada: Client, ada: User, clerk: User) -> None:
        """Only changed fields, before and after."""
        form = {"first_name": "Marco", "last_name": "Rinaldi", "email": clerk.email}

        at_ada.post(f"{PEOPLE}{clerk.pk}/details/", {**form, "code": code_of(ada)})

        [(_actor, _subject, details)] = audit_records("ACCOUNT_CHANGED")
        assert details["before"] == {"first_name": "", "last_name": ""}
        assert details["after"] == {"first_name": "Marco", "last_name": "Rinaldi"}

    def test_stay_without_a_second_factor(self, at_ada: Client, clerk: User) -> None:
        """Notices are sent to the e-mail address."""
        form = {"first_name": "M", "last_name": "R", "email": "thief@example.org", "code": ""}

        answer = at_ada.post(f"{PEOPLE}{clerk.pk}/details/", form)

        assert answer.status_code == 200
        assert User.objects.get(pk=clerk.pk).email == "clerk@casino.example"
        assert audit_records("ACCOUNT_CHANGED") == []

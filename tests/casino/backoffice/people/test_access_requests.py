"""A change of who may do what: requested, listed, approved or rejected, carried out, on record."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.test import Client

from casino.access.models import AccessDecision, AccessRequest
from compliance.trail.action_labels import action_label
from tests.casino.backoffice.people.people import (
    PEOPLE,
    REQUESTS,
    WHY,
    ask,
    browser_of,
    decide,
    password_on,
    roles_of,
    somebody,
)
from tests.casino.backoffice.second_factors import code_of, recorded

pytestmark = pytest.mark.django_db

NEW = {
    "username": "nina",
    "first_name": "Nina",
    "last_name": "Moro",
    "email": "nina@casino.example",
    "reason": WHY,
}


class TestARequest:
    def test_is_listed_with_all_that_a_second_person_needs(
        self, at_ada: Client, at_bruno: Client, ada: User, clerk: User
    ) -> None:
        """Who, about whom, what, when, before and after, and why."""
        ask(at_ada, ada, clerk, "roles", ["supervisor", "payments"])

        page = at_bruno.get(REQUESTS).content.decode()

        assert "Change of roles" in page
        assert "Payments → <b>Payments, Supervisor</b>" in page
        assert WHY in page
        assert "Requested by ada" in page
        assert f'action="{REQUESTS}{AccessRequest.objects.get().pk}/approve/"' in page

    def test_that_is_approved_is_carried_out_on_record(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """Both administrators stand in the trail, with the effect."""
        ask(at_ada, ada, clerk, "roles", ["supervisor", "payments"])
        [row] = AccessRequest.objects.all()

        decide(at_bruno, bruno, row)

        assert roles_of(clerk) == {"supervisor", "payments"}
        [(actor, subject, details)] = recorded("ROLES_CHANGED")
        assert (actor, subject) == ("bruno", f"user:{clerk.pk}")
        assert details["requested_by"] == "ada"
        assert (details["before"], details["after"]) == (["payments"], ["payments", "supervisor"])
        assert [one[0] for one in recorded("ACCESS_REQUESTED")] == ["ada"]
        assert [one[0] for one in recorded("ACCESS_APPROVED")] == ["bruno"]

    def test_that_is_rejected_changes_nothing(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """The reason stands with it; a further approval comes too late."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()

        decide(at_bruno, bruno, row, "reject")
        decide(at_bruno, bruno, row)

        assert Authenticator.objects.filter(user=clerk).exists()
        assert [one.is_approved for one in AccessDecision.objects.all()] == [False]
        [(_actor, _subject, details)] = recorded("ACCESS_REJECTED")
        assert details["note"] == "I asked him myself"

    @pytest.mark.parametrize("verdict", ["approve", "reject"])
    def test_is_decided_with_a_fresh_second_factor(
        self, at_ada: Client, at_bruno: Client, ada: User, clerk: User, verdict: str
    ) -> None:
        """The second administrator's session alone is not the second administrator."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()

        at_bruno.post(f"{REQUESTS}{row.pk}/{verdict}/", {"reason": "x", "code": ""})

        assert not AccessDecision.objects.exists()

    def test_is_not_approved_without_a_word_with_the_person(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """An approval that asked nobody but the requester is no second look."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()

        at_bruno.post(f"{REQUESTS}{row.pk}/approve/", {"code": code_of(bruno)})

        assert not AccessDecision.objects.exists()

    def test_is_not_decided_by_the_person_concerned(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User
    ) -> None:
        """An administrator does not approve their own reset."""
        ask(at_ada, ada, bruno, "factors")
        [row] = AccessRequest.objects.all()

        decide(at_bruno, bruno, row)

        assert not AccessDecision.objects.exists()

    @pytest.mark.parametrize("role", ["supervisor", "payments", "compliance", "auditor"])
    def test_is_decided_by_administrators_only(
        self, at_ada: Client, ada: User, clerk: User, role: str
    ) -> None:
        """Nobody else approves or rejects."""
        ask(at_ada, ada, clerk, "factors")
        [row] = AccessRequest.objects.all()
        other = somebody("other", role)

        answer = decide(browser_of(other), other, row)

        assert answer.status_code == 403
        assert not AccessDecision.objects.exists()

    def test_waits_alone(self, at_ada: Client, ada: User, clerk: User) -> None:
        """Two about one person would each be approved for what it was."""
        ask(at_ada, ada, clerk, "factors")

        answer = ask(at_ada, ada, clerk, "password")

        assert answer.status_code == 302
        assert [row.kind for row in AccessRequest.objects.all()] == ["factors"]

    def test_of_roles_that_changed_meanwhile_is_not_carried_out(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """The approver saw another before and after."""
        ask(at_ada, ada, clerk, "roles", ["compliance"])
        [row] = AccessRequest.objects.all()
        clerk.groups.clear()

        decide(at_bruno, bruno, row)

        assert roles_of(clerk) == set()
        assert not AccessDecision.objects.exists()

    def test_is_never_about_oneself(self, at_ada: Client, ada: User) -> None:
        """Nobody asks for more for themself."""
        ask(at_ada, ada, ada, "roles", ["supervisor"])
        ask(at_ada, ada, ada, "factors")

        assert not AccessRequest.objects.exists()

    @pytest.mark.parametrize("role", ["supervisor", "payments", "compliance"])
    def test_never_makes_an_administrator_decide_about_money(
        self, at_ada: Client, ada: User, bruno: User, role: str
    ) -> None:
        """Separation of duties."""
        ask(at_ada, ada, bruno, "roles", ["administrator", role])

        assert not AccessRequest.objects.exists()

    @pytest.mark.parametrize("kind", ["create", "x", "FACTORS"])
    def test_of_no_kind_is_not_found(
        self, at_ada: Client, ada: User, clerk: User, kind: str
    ) -> None:
        """Accounts are created on a page of their own."""
        assert ask(at_ada, ada, clerk, kind).status_code == 404

    @pytest.mark.parametrize("key", ["0", "9223372036854775808", "9" * 5000, "x", "-1"])
    def test_about_nobody_is_not_found(self, at_ada: Client, key: str) -> None:
        """Whatever stands in the address."""
        assert at_ada.post(f"{PEOPLE}{key}/change/factors/").status_code == 404

    @pytest.mark.parametrize(
        "action",
        [
            "ACCESS_REQUESTED",
            "ACCESS_APPROVED",
            "ACCESS_REJECTED",
            "ACCOUNT_CLOSED",
            "ACCOUNT_CREATED",
            "ACCOUNT_CHANGED",
            "ACCOUNT_REOPENED",
            "ADMINISTRATOR_MADE",
            "FACTORS_RESET",
            "PASSWORD_RESET",
            "ROLES_CHANGED",
        ],
    )
    def test_is_on_record_in_words(self, action: str) -> None:
        """On the page of audit records, like all that is done about people."""
        assert action_label(action) != action


class TestANewPerson:
    def test_is_added_by_a_button_on_the_list(self, at_ada: Client) -> None:
        """Item 12: there was no button."""
        page = at_ada.get("/admin/auth/user/").content.decode()

        assert f'href="{PEOPLE}new/"' in page

    def test_is_requested_in_plain_words(self, at_ada: Client) -> None:
        """No hash of a password, no status of staff: name, e-mail, roles and what they do."""
        page = at_ada.get(f"{PEOPLE}new/").content.decode()

        assert "Read-only access to everything" in page
        assert "Staff" not in page
        assert 'name="password' not in page

    def test_who_decides_nothing_can_log_in_at_once(self, at_ada: Client, ada: User) -> None:
        """With a password for one use, which one administrator hands over."""
        form = {**NEW, "roles": ["auditor"], "code": code_of(ada)}

        password = password_on(at_ada.post(f"{PEOPLE}new/", form))

        nina = User.objects.get(username="nina")
        assert (nina.is_active, nina.check_password(password)) == (True, True)
        assert roles_of(nina) == {"auditor"}
        assert [one[2]["after"]["username"] for one in recorded("ACCOUNT_CREATED")] == ["nina"]
        assert password not in str(recorded("ACCOUNT_CREATED") + recorded("PASSWORD_RESET"))

    def test_who_decides_waits_for_a_second_administrator(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User
    ) -> None:
        """Then both halves make the password, and the account is open."""
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
        """The form comes back and nothing is kept."""
        form = {**NEW, "roles": ["auditor"], "code": code_of(ada), **wrong}

        answer = at_ada.post(f"{PEOPLE}new/", form)

        assert answer.status_code == 200
        assert 'role="alert"' in answer.content.decode()
        assert User.objects.count() == 2


class TestAClosedAccount:
    def test_is_closed_by_one_administrator_at_once(
        self, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """Whoever left is out, at once and everywhere: to take away needs no second person."""
        there = browser_of(clerk)

        at_ada.post(f"{PEOPLE}{clerk.pk}/close/", {"code": code_of(ada)})

        assert [subject for _, subject, _ in recorded("ACCOUNT_CLOSED")] == [f"user:{clerk.pk}"]
        assert there.get("/admin/").status_code == 302

    def test_is_not_closed_without_a_second_factor_nor_by_its_owner(
        self, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """So nobody is left without an administrator by mistake."""
        at_ada.post(f"{PEOPLE}{clerk.pk}/close/", {"code": ""})
        at_ada.post(f"{PEOPLE}{ada.pk}/close/", {"code": code_of(ada)})

        assert User.objects.filter(is_active=True).count() == 2

    def test_is_reopened_by_two(
        self, at_ada: Client, at_bruno: Client, ada: User, bruno: User, clerk: User
    ) -> None:
        """With a new password in halves and without the phone of before."""
        at_ada.post(f"{PEOPLE}{clerk.pk}/close/", {"code": code_of(ada)})
        first = password_on(ask(at_ada, ada, clerk, "reopen"))
        [row] = AccessRequest.objects.all()

        second = password_on(decide(at_bruno, bruno, row))

        clerk.refresh_from_db()
        assert (clerk.is_active, clerk.check_password(f"{first}-{second}")) == (True, True)
        assert not Authenticator.objects.filter(user=clerk).exists()


class TestTheDetailsOfAPerson:
    def test_are_changed_on_record(self, at_ada: Client, ada: User, clerk: User) -> None:
        """Only what changed, before and after."""
        form = {"first_name": "Marco", "last_name": "Rinaldi", "email": clerk.email}

        at_ada.post(f"{PEOPLE}{clerk.pk}/details/", {**form, "code": code_of(ada)})

        [(_actor, _subject, details)] = recorded("ACCOUNT_CHANGED")
        assert details["before"] == {"first_name": "", "last_name": ""}
        assert details["after"] == {"first_name": "Marco", "last_name": "Rinaldi"}

    def test_stay_without_a_second_factor(self, at_ada: Client, clerk: User) -> None:
        """An address is where the notices go."""
        form = {"first_name": "M", "last_name": "R", "email": "thief@example.org", "code": ""}

        answer = at_ada.post(f"{PEOPLE}{clerk.pk}/details/", form)

        assert answer.status_code == 200
        assert User.objects.get(pk=clerk.pk).email == "clerk@casino.example"
        assert recorded("ACCOUNT_CHANGED") == []

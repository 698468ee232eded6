"""What an administrator does about people is on record, and has bounds (issue 5, point 7)."""

from collections.abc import Iterable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.roles import grant_roles
from payouts.pages.words import action_words
from tests.pages.conftest import PASSWORD, person
from tests.pages.factors import give_passkey, give_phone, recorded

pytestmark = pytest.mark.django_db

USERS = "/admin/auth/user/"


@pytest.fixture
def administrator() -> User:
    """Who manages users."""
    return person("administrator")


@pytest.fixture
def browser(administrator: User) -> Client:
    """Where the administrator has logged in and reads English."""
    client = Client(REMOTE_ADDR="192.0.2.7")
    client.force_login(administrator)
    client.cookies["django_language"] = "en"
    return client


def change(browser: Client, someone: User, roles: Iterable[str], **fields: str) -> Any:  # noqa: ANN401  the test client's answer
    """What the page says when a person's form is sent."""
    chosen = [str(grant_roles()[role].pk) for role in roles]
    form = {"username": someone.username, "is_active": "on", "is_staff": "on", **fields}
    sent = {name: value for name, value in form.items() if value}
    return browser.post(f"{USERS}{someone.pk}/change/", {**sent, "groups": chosen})


def roles_of(someone: User) -> set[str]:
    """The names of a person's roles."""
    return set(someone.groups.values_list("name", flat=True))


class TestAChangeOfRoles:
    def test_is_on_record_with_what_was_before(self, browser: Client, administrator: User) -> None:
        """Who may decide since when is asked years later."""
        clerk = person("payments")

        change(browser, clerk, ["payments", "compliance"])

        [(actor, subject, details)] = recorded("ROLES_CHANGED")
        assert (actor, subject) == ("administrator", f"user:{clerk.pk}")
        assert details["before"] == ["payments"]
        assert details["after"] == ["compliance", "payments"]
        assert roles_of(clerk) == {"payments", "compliance"}

    @pytest.mark.parametrize("role", ["supervisor", "payments", "compliance"])
    def test_never_makes_an_administrator_decide_about_money(
        self, browser: Client, role: str
    ) -> None:
        """Separation of duties, refused in words."""
        other = person(role)

        page = change(browser, other, [role, "administrator"]).content.decode()

        assert "an administrator cannot also be supervisor, payments or compliance" in page
        assert roles_of(other) == {role}
        assert recorded("ROLES_CHANGED") == []

    def test_may_make_an_auditor_an_administrator(self, browser: Client) -> None:
        """He decides about nothing."""
        auditor = person("auditor")

        change(browser, auditor, ["auditor", "administrator"])

        assert roles_of(auditor) == {"auditor", "administrator"}

    def test_is_never_ones_own(self, browser: Client, administrator: User) -> None:
        """Else one save would turn the administrator into a supervisor."""
        page = change(browser, administrator, ["supervisor"]).content.decode()

        assert "Nobody changes their own roles" in page
        assert roles_of(administrator) == {"administrator"}


class TestAnAccount:
    def test_is_created_on_record(self, browser: Client) -> None:
        """Whoever comes to work here; roles come after."""
        words = dict.fromkeys(["password1", "password2"], "a blank shoe card")

        browser.post(f"{USERS}add/", {"username": "nina", "usable_password": "true", **words})

        [(actor, subject, details)] = recorded("ACCOUNT_CREATED")
        nina = User.objects.get(username="nina")
        assert (actor, subject) == ("administrator", f"user:{nina.pk}")
        assert (details["after"]["username"], details["after"]["roles"]) == ("nina", [])
        assert "blank" not in str(details)

    def test_is_closed_on_record_and_logged_out(self, browser: Client) -> None:
        """Whoever left, at once and everywhere."""
        clerk = person("payments")
        there = Client()
        there.force_login(clerk)

        change(browser, clerk, ["payments"], is_active="")

        assert [subject for _, subject, _ in recorded("ACCOUNT_CLOSED")] == [f"user:{clerk.pk}"]
        assert len(recorded("SESSION_ENDED")) == 1
        assert there.get("/admin/").status_code == 302

    def test_is_opened_again_on_record(self, browser: Client) -> None:
        """Whoever comes back."""
        clerk = person("payments")
        User.objects.filter(pk=clerk.pk).update(is_active=False)

        change(browser, clerk, ["payments"])

        assert len(recorded("ACCOUNT_REOPENED")) == 1

    def test_is_changed_on_record(self, browser: Client) -> None:
        """Only what changed, before and after."""
        clerk = person("payments")

        change(browser, clerk, ["payments"], first_name="Marco")

        [(_actor, _subject, details)] = recorded("ACCOUNT_CHANGED")
        assert details["before"] == {"first_name": ""}
        assert details["after"] == {"first_name": "Marco"}

    def test_that_is_saved_as_it_was_leaves_no_record(self, browser: Client) -> None:
        """Nothing happened."""
        clerk = person("payments")

        change(browser, clerk, ["payments"])

        assert recorded("ACCOUNT_CHANGED") == recorded("ROLES_CHANGED") == []

    def test_is_not_closed_by_its_owner(self, browser: Client, administrator: User) -> None:
        """So nobody is left without an administrator by mistake."""
        page = change(browser, administrator, ["administrator"], is_active="").content.decode()

        assert "Nobody closes their own account" in page

    def test_gets_another_password_on_record(self, browser: Client) -> None:
        """Whoever knew the one before is logged out."""
        clerk = person("payments")
        there = Client()
        there.force_login(clerk)
        words = dict.fromkeys(["password1", "password2"], "a blank shoe card")

        browser.post(f"{USERS}{clerk.pk}/password/", {"usable_password": "true", **words})

        assert [subject for _, subject, _ in recorded("PASSWORD_RESET")] == [f"user:{clerk.pk}"]
        assert there.get("/admin/").status_code == 302

    def test_keeps_its_password_when_the_form_is_wrong(self, browser: Client) -> None:
        """And the trail says nothing."""
        clerk = person("payments")
        words = {"password1": "a", "password2": "b", "usable_password": "true"}

        browser.post(f"{USERS}{clerk.pk}/password/", words)

        assert recorded("PASSWORD_RESET") == []
        assert User.objects.get(pk=clerk.pk).check_password(PASSWORD)

    def test_is_never_deleted(self, browser: Client, administrator: User) -> None:
        """The trail names people by their accounts; not even a superuser does it here."""
        clerk = person("payments")
        User.objects.filter(pk=administrator.pk).update(is_superuser=True)

        answer = browser.post(f"{USERS}{clerk.pk}/delete/", {"post": "yes"})

        assert answer.status_code == 403
        assert User.objects.filter(pk=clerk.pk).exists()


class TestARole:
    def test_is_looked_at_and_never_changed(self, browser: Client, administrator: User) -> None:
        """Else an administrator would give his own the permissions of another."""
        role = Group.objects.get(name="administrator")
        before = set(role.permissions.values_list("codename", flat=True))

        page = browser.get(f"/admin/auth/group/{role.pk}/change/")
        answer = browser.post(f"/admin/auth/group/{role.pk}/change/", {"name": "administrator"})

        assert (page.status_code, answer.status_code) == (200, 403)
        assert set(role.permissions.values_list("codename", flat=True)) == before


class TestALostPhone:
    def test_is_reset_by_an_administrator_on_record(self, browser: Client, signer: User) -> None:
        """All factors go, all sessions end; the next login needs the password alone."""
        give_passkey(signer)
        there = Client()
        there.force_login(signer)

        browser.post(f"/admin/people/{signer.pk}/reset/")

        assert not Authenticator.objects.exists()
        [(actor, subject, details)] = recorded("FACTORS_RESET")
        assert (actor, subject) == ("administrator", f"user:{signer.pk}")
        assert details["removed"] == ["totp", "webauthn"]
        assert there.get("/admin/").status_code == 302

    def test_is_offered_on_the_persons_page(self, browser: Client, signer: User) -> None:
        """Where there is something to reset."""
        with_phone = browser.get(f"{USERS}{signer.pk}/change/").content.decode()
        Authenticator.objects.all().delete()
        without = browser.get(f"{USERS}{signer.pk}/change/").content.decode()

        assert f'action="/admin/people/{signer.pk}/reset/"' in with_phone
        assert "decide about no money" in without

    def test_is_never_the_administrators_own(self, browser: Client, administrator: User) -> None:
        """He needs it to change it, like everybody."""
        give_phone(administrator)

        browser.post(f"/admin/people/{administrator.pk}/reset/")

        assert Authenticator.objects.count() == 1

    @pytest.mark.parametrize("key", ["0", "9223372036854775808", "9" * 5000, "x", "-1"])
    def test_of_nobody_is_not_found(self, browser: Client, key: str) -> None:
        """Whatever stands in the address."""
        assert browser.post(f"/admin/people/{key}/reset/").status_code == 404

    @pytest.mark.parametrize(
        "action",
        [
            "FACTORS_RESET",
            "PASSWORD_RESET",
            "ACCOUNT_CREATED",
            "ACCOUNT_CHANGED",
            "ACCOUNT_CLOSED",
            "ACCOUNT_REOPENED",
            "ROLES_CHANGED",
        ],
    )
    def test_is_on_record_in_words(self, action: str) -> None:
        """On the page of audit records, like all that is done about people."""
        assert action_words(action) != action

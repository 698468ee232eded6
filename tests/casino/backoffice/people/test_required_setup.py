"""People without a second factor reach nothing but its setup."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from casino.access.models import AccessEvent
from casino.access.roles import ROLES
from tests.casino.backoffice.conftest import PASSWORD, newcomer
from tests.casino.backoffice.people.people import PEOPLE, browser_of, changed, somebody
from tests.casino.backoffice.second_factors import code_of
from tests.casino_in_play import open_table

pytestmark = pytest.mark.django_db

PLACES = [
    "/admin/",
    "/admin/cases/",
    "/admin/cases/malfunction/",
    PEOPLE,
    f"{PEOPLE}new/",
    f"{PEOPLE}requests/",
    "/admin/keys/",
    "/admin/jobs/",
    "/admin/search/?s=a",
    "/admin/security/confirm/",
    "/admin/rounds/round/",
    "/admin/lists/tables/export.csv",
    "/admin/nowhere/",
    "/api/v1/rounds",
]


class TestAPersonWithoutASecondFactor:
    @pytest.mark.parametrize("role", ROLES)
    def test_is_redirected_to_enrolment_from_everywhere(self, role: str) -> None:
        """Pages, files, forms and scripted requests."""
        desk = browser_of(newcomer(role))

        requested = {desk.get(place)["Location"] for place in PLACES}
        posted = {desk.post(place)["Location"] for place in PLACES}

        assert requested == posted == {"/admin/security/"}
        assert desk.get("/admin/security/").status_code == 200
        assert desk.get("/admin/security/phone/").status_code == 200

    @pytest.mark.parametrize("role", ROLES)
    def test_has_no_permission_either(self, role: str) -> None:
        """The backend grants none."""
        assert newcomer(role).get_all_permissions() == set()

    def test_gets_the_reason(self) -> None:
        """The setup page explains it."""
        page = browser_of(newcomer("payments")).get("/admin/security/").content.decode()

        assert "Everybody needs a second factor" in page


class TestAOneTimePassword:
    @pytest.mark.parametrize("role", ROLES)
    def test_is_replaced_before_anything_else(self, role: str) -> None:
        """By every role, with and without a second factor."""
        person = somebody(role, role)
        changed(person, AccessEvent.Kind.PASSWORD_RESET, hours_ago=48)
        desk = browser_of(person)

        desk.post("/admin/security/confirm/", {"code": code_of(person)})
        others = [place for place in (*PLACES, "/admin/security/") if "confirm" not in place]
        places = {desk.get(place)["Location"] for place in others}

        assert places == {"/admin/password_change/"}
        assert "This is a one-time password" in desk.get("/admin/password_change/").content.decode()


class TestASuperuser:
    def test_does_not_log_in(self) -> None:
        """Accounts of `createsuperuser` have no role."""
        User.objects.create_superuser("root", password=PASSWORD)

        browser = Client()
        browser.post("/admin/login/", {"username": "root", "password": PASSWORD})

        assert "_auth_user_id" not in browser.session

    def test_loses_the_session_that_was_open(self) -> None:
        """When the flag is set in the database."""
        person = somebody("supervisor", "supervisor")
        desk = browser_of(person)
        open_table()
        User.objects.update(is_superuser=True)

        answer = desk.get("/admin/rounds/table/")

        assert answer["Location"].startswith("/admin/login/")

    def test_has_no_permissions_by_the_backend(self) -> None:
        """Not even those of its role."""
        person = somebody("supervisor", "supervisor")
        User.objects.update(is_superuser=True)

        assert User.objects.get(pk=person.pk).get_all_permissions() == set()


def test_permissions_of_single_users_are_ignored() -> None:
    """Only roles grant permissions."""
    person = somebody("clerk", "payments")
    person.user_permissions.add(Permission.objects.get(codename="close_day"))

    assert not User.objects.get(pk=person.pk).has_perm("payouts.close_day")

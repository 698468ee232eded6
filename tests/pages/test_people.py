"""The login, and the pages of people and their roles."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.pages.conftest import person

USERS = "/admin/auth/user/"


@pytest.fixture
def administrator(client: Client, db: None) -> Client:
    """A browser in which the administrator has logged in, and reads English."""
    client.force_login(person("administrator"))
    client.cookies["django_language"] = "en"
    return client


class TestTheLogin:
    def test_speaks_the_language_that_is_chosen_on_it(self, client: Client, db: None) -> None:
        """Whoever has not logged in has no menu to switch in; Italian is the house's language."""
        before = client.get("/admin/login/").content.decode()
        client.post("/i18n/setlang/", {"language": "en", "next": "/admin/login/"})
        after = client.get("/admin/login/").content.decode()

        assert "Gestione e controllo dei giochi di carte dal vivo" in before
        assert re.findall(r'name="language" value="(\w+)"', before) == ["it", "en"]
        assert "Back office and audit of live card games" in after


class TestAPersonsPage:
    def test_offers_roles_and_no_single_permissions(self, administrator: Client) -> None:
        """What people may do follows from their roles alone, so that it can be audited."""
        someone = person("supervisor")

        page = administrator.get(f"{USERS}{someone.pk}/change/").content.decode()

        assert re.findall(r'type="checkbox" name="groups"', page) != []
        assert "user_permissions" not in page
        assert "is_superuser" not in page

    def test_cannot_make_anybody_a_superuser(self, administrator: Client) -> None:
        """A posted field that the page does not have is ignored."""
        someone = person("supervisor")
        role = someone.groups.get()

        answer = administrator.post(
            f"{USERS}{someone.pk}/change/",
            {
                "username": "supervisor",
                "is_active": "on",
                "is_staff": "on",
                "groups": [role.pk],
                "is_superuser": "on",
            },
        )

        changed = User.objects.get(username="supervisor")
        assert answer.status_code == 302
        assert (changed.is_superuser, list(changed.groups.all())) == (False, [role])

    def test_is_listed_with_the_roles_in_words(self, administrator: Client) -> None:
        """The list tells who may do what."""
        person("payments")

        page = administrator.get(USERS).content.decode()

        assert "Payments" in page
        assert "Roles" in page

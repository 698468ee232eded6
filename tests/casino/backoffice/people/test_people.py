"""The login page, and the pages of people and roles."""

import re

from django.contrib.auth.models import Group, User
from django.test import Client

from tests.casino.backoffice.conftest import allow_everything, person

USERS = "/admin/auth/user/"


class TestTheLogin:
    def test_is_in_the_selected_language(self, client: Client, db: None) -> None:
        """Italian by default, with a menu of languages."""
        before = client.get("/admin/login/").content.decode()
        client.post("/i18n/setlang/", {"language": "en", "next": "/admin/login/"})
        after = client.get("/admin/login/").content.decode()

        assert "Gestione e controllo dei giochi di carte dal vivo" in before
        assert re.findall(r'name="language" value="(\w+)"', before) == ["it", "en"]
        assert "Back office and audit of live card games" in after


class TestAPersonsPage:
    def test_offers_roles_and_no_single_permissions(self, administrator: Client) -> None:
        """Permissions follow from roles alone."""
        someone = person("supervisor")

        page = administrator.get(f"/admin/people/{someone.pk}/").content.decode()

        assert re.findall(r'type="checkbox" name="roles"', page) != []
        assert "user_permissions" not in page
        assert "is_superuser" not in page
        assert "md5" not in page

    def test_replaces_the_user_pages_of_django(self, administrator: Client) -> None:
        """Django's user pages redirect to it."""
        someone = person("supervisor")

        answer = administrator.get(f"{USERS}{someone.pk}/change/")

        assert answer["Location"] == f"/admin/people/{someone.pk}/"

    def test_is_never_deleted(self, administrator: Client) -> None:
        """Audit records refer to accounts."""
        clerk = person("payments")
        allow_everything(User.objects.get(username="administrator"))

        answer = administrator.post(f"{USERS}{clerk.pk}/delete/", {"post": "yes"})

        assert answer.status_code == 403
        assert User.objects.filter(pk=clerk.pk).exists()

    def test_is_listed_with_the_roles_in_words(self, administrator: Client) -> None:
        """With the names of the roles."""
        person("payments")

        page = administrator.get(USERS).content.decode()

        assert "Payments" in page
        assert "Roles" in page


class TestARole:
    def test_is_read_only(self, administrator: Client) -> None:
        """Permissions of roles are read-only."""
        role = Group.objects.get(name="administrator")
        before = set(role.permissions.values_list("codename", flat=True))

        page = administrator.get(f"/admin/auth/group/{role.pk}/change/")
        answer = administrator.post(
            f"/admin/auth/group/{role.pk}/change/", {"name": "administrator"}
        )

        assert (page.status_code, answer.status_code) == (200, 403)
        assert set(role.permissions.values_list("codename", flat=True)) == before

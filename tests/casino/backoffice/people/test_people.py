"""The login page, and the pages of people and roles."""

import re

from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain
from tests.casino.backoffice.people.people import PEOPLE, somebody
from tests.casino.backoffice.second_factors import give_phone
from tests.signers import give_signing_key


def shown(administrator: Client, query: str = "") -> str:
    """The words of the list."""
    return plain(administrator, f"{PEOPLE}{query}")


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
        assert "md5$" not in page


class TestTheList:
    def test_shows_roles_factor_and_signing_key(self, administrator: Client) -> None:
        """Also of somebody without any."""
        clerk = person("payments")
        give_phone(clerk)
        give_signing_key(clerk)
        User.objects.create_user("newcomer")

        words = shown(administrator)

        assert f"{clerk.get_full_name()} {clerk.username} Payments Open phone In force" in words
        assert "newcomer newcomer none (no access) Open none" in words

    def test_finds_by_name_and_role(self, administrator: Client) -> None:
        """Every word must be part of a name or of the e-mail address."""
        somebody("ada", "supervisor", first_name="Ada", last_name="Riva")
        somebody("bruno", "payments", first_name="Bruno", last_name="Riva")

        assert "bruno" not in shown(administrator, "?q=riva+ada")
        assert "bruno" in shown(administrator, "?q=riva&role=payments")
        assert "ada " not in shown(administrator, "?q=riva&role=payments")
        assert "No user matches the filter." in shown(administrator, "?q=nobody")

    def test_leaves_out_closed_accounts_at_first(self, administrator: Client) -> None:
        """They are never deleted: audit records refer to them."""
        User.objects.create_user("former", is_active=False)

        assert "former" not in shown(administrator)
        assert "former former none (no access) Closed" in shown(administrator, "?which=all")

    def test_takes_as_many_queries_for_many(
        self, administrator: Client, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        """Factors and keys are read once for all."""
        for number in range(20):
            User.objects.create_user(f"user-{number}")

        with django_assert_max_num_queries(13):
            assert "user-19" in shown(administrator)

"""The directory of the staff on pages: accounts handed over, and what it asks for."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from casino.access.models import AccessRequest, DirectoryAccount, DirectoryMembership
from tests.casino.api.scim.directories import ROLES, USERS, Directory
from tests.casino.backoffice.people.people import PEOPLE, REQUESTS, decide, roles_of, somebody
from tests.casino.backoffice.second_factors import code_of
from tests.compliance.trail.audit_records import audit_records

pytestmark = pytest.mark.django_db


@pytest.fixture
def directory(settings: Settings) -> Directory:
    """A directory with groups for two roles."""
    settings.DIRECTORY_ROLES = ROLES
    return Directory()


def hand_over(browser: Client, administrator: User, user: User, end: str = "") -> Any:
    """Hands an account to the directory, or takes it back."""
    return browser.post(
        f"{PEOPLE}{user.pk}/directory/{end}", {"code": code_of(administrator)}, follow=True
    )


def text_of(answer: Any) -> str:
    """The words of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


class TestAnAccount:
    def test_is_seen_by_the_directory_once_it_is_handed_over(
        self, directory: Directory, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """And no more when it is taken back."""
        before = directory.get(f"{USERS}/{clerk.pk}").status_code
        page = hand_over(at_ada, ada, clerk)
        between = directory.get(f"{USERS}/{clerk.pk}").status_code
        hand_over(at_ada, ada, clerk, "end/")
        after = directory.get(f"{USERS}/{clerk.pk}").status_code

        assert (before, between, after) == (404, 200, 404)
        assert "Managed by the directory" in text_of(page)
        [(actor, subject, _details)] = audit_records("DIRECTORY_ACCOUNT_ADDED")
        assert (actor, subject) == ("ada", f"user:{clerk.pk}")
        assert len(audit_records("DIRECTORY_ACCOUNT_RELEASED")) == 1

    def test_shows_its_identifier(
        self, directory: Directory, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """On its page; the list says that it is managed."""
        hand_over(at_ada, ada, clerk)
        directory.patch(clerk, {"op": "add", "path": "externalId", "value": "4f2c"})

        page, people = at_ada.get(f"{PEOPLE}{clerk.pk}/"), at_ada.get(PEOPLE)

        assert "Identifier : 4f2c" in text_of(page).replace("Identifier:", "Identifier :")
        assert text_of(people).count("managed by the directory") == 1

    def test_of_oneself_stays(self, at_ada: Client, ada: User) -> None:
        """Another administrator hands it over."""
        page = hand_over(at_ada, ada, ada)

        assert not DirectoryAccount.objects.exists()
        assert "You cannot change your own access" in text_of(page)

    def test_needs_a_second_factor(self, at_ada: Client, clerk: User) -> None:
        """As every change of access does."""
        at_ada.post(f"{PEOPLE}{clerk.pk}/directory/", {"code": ""})

        assert not DirectoryAccount.objects.exists()

    def test_that_the_directory_closed_says_so(
        self, directory: Directory, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """With the time."""
        hand_over(at_ada, ada, clerk)
        directory.closes(clerk)

        assert "closed by the directory," in text_of(at_ada.get(f"{PEOPLE}{clerk.pk}/"))


class TestWhatTheDirectoryAsksFor:
    @pytest.mark.slow
    def test_becomes_a_signed_request_by_one_click(
        self, directory: Directory, at_ada: Client, at_bruno: Client, ada: User, bruno: User
    ) -> None:
        """Ada opens it as the page has it, Bruno approves it: as any other request."""
        lia = directory.joins("lia")
        directory.adds("supervisor", lia)
        page = at_ada.get(REQUESTS)
        [form] = [part for part in _forms(page) if f"/people/{lia.pk}/change/roles/" in part]

        at_ada.post(f"{PEOPLE}{lia.pk}/change/roles/", _hidden(form) | {"code": code_of(ada)})

        row = AccessRequest.objects.get()
        assert (row.person, row.roles_after, row.requested_by) == (lia, ["supervisor"], ada)
        assert row.reason.startswith("Asked by the directory Entra ID (key ")
        assert row.reason.endswith(": group casino-supervisors")
        assert roles_of(lia) == set()
        assert "A request for this person is already pending." in text_of(at_ada.get(REQUESTS))

        decide(at_bruno, bruno, row)

        assert roles_of(lia) == {"supervisor"}
        assert "The directory asks for nothing." in text_of(at_ada.get(REQUESTS))

    def test_is_on_today(self, directory: Directory, at_ada: Client) -> None:
        """Of administrators."""
        assert "The directory asks" not in text_of(at_ada.get("/admin/"))
        for name in ("lia", "rita"):
            directory.adds("supervisor", directory.joins(name))

        assert "The directory asks for roles of 2 people" in text_of(at_ada.get("/admin/"))

    def test_keeps_the_roles_that_the_person_has(
        self, directory: Directory, at_ada: Client, ada: User, clerk: User
    ) -> None:
        """It is added to them."""
        hand_over(at_ada, ada, clerk)
        directory.adds("supervisor", clerk)

        [form] = [part for part in _forms(at_ada.get(REQUESTS)) if "change/roles/" in part]

        assert _hidden(form)["roles"] == ["payments", "supervisor"]

    def test_is_shown_as_withdrawn(
        self, directory: Directory, at_ada: Client, at_bruno: Client, ada: User
    ) -> None:
        """Also where a request was opened, before somebody approves it."""
        lia = directory.joins("lia")
        directory.adds("supervisor", lia)
        [form] = [part for part in _forms(at_ada.get(REQUESTS)) if "change/roles/" in part]
        at_ada.post(f"{PEOPLE}{lia.pk}/change/roles/", _hidden(form) | {"code": code_of(ada)})

        directory.removes("supervisor", lia)

        page = text_of(at_bruno.get(REQUESTS))
        assert "The directory has withdrawn this: Supervisor" in page
        assert page.count("Withdrawn") == 2
        assert DirectoryMembership.objects.count() == 2

    def test_is_read_by_compliance(self, directory: Directory, client: Client) -> None:
        """Who cannot open the request."""
        directory.adds("supervisor", directory.joins("lia"))
        client.force_login(somebody("rita", "compliance"))
        client.cookies["django_language"] = "en"

        page = client.get(REQUESTS)

        assert "Asked by the directory" in text_of(page)
        assert "An administrator must open the request." in text_of(page)
        assert not [part for part in _forms(page) if "change/roles/" in part]

    def test_is_not_there_without_a_directory(self, at_ada: Client) -> None:
        """Most installations have none."""
        assert "Asked by the directory" not in text_of(at_ada.get(REQUESTS))


def _forms(page: Any) -> list[str]:
    return re.findall(r"<form.*?</form>", page.content.decode(), flags=re.DOTALL)


def _hidden(form: str) -> dict[str, Any]:
    pairs = re.findall(r'type="hidden" name="(roles|reason)" value="([^"]*)"', form)
    return {
        "roles": [value for name, value in pairs if name == "roles"],
        "reason": next(value for name, value in pairs if name == "reason"),
    }

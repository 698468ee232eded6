"""Saved views: an address of a list with a name, personal or shared."""

import re

import pytest
from django.test import Client

from casino.backoffice.lists.models import SavedView
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import open_table

pytestmark = pytest.mark.django_db

CASES = "/admin/cases/"
SAVE = "/admin/lists/views/save/"
QUERY = "which=all&kind=refund&columns=case&columns=status"


def save(browser: Client, name: str = "Refunds", **form: str) -> None:
    """Saves a view of the cases."""
    values = {"list_name": "cases", "name": name, "query": QUERY, "back": CASES}
    assert browser.post(SAVE, {**values, **form})["Location"] == CASES


@pytest.fixture
def colleague(db: None) -> Client:
    """The browser of somebody in payments."""
    browser = Client()
    browser.force_login(person("payments"))
    browser.cookies["django_language"] = "en"
    return browser


class TestAView:
    def test_is_a_link_to_the_list_as_it_was(self, supervisor: Client) -> None:
        """With filters and columns; on no other list."""
        save(supervisor)

        assert "which=all&amp;kind=refund&amp;columns=case" in page_html(supervisor.get(CASES))
        assert "kind=refund" not in page_html(supervisor.get("/admin/disputes/"))

    def test_is_seen_by_others_if_it_is_shared(self, supervisor: Client, colleague: Client) -> None:
        """With the name of who shares it."""
        save(supervisor, "Mine")
        save(supervisor, "Ours", is_shared="on")

        page = page_html(colleague.get(CASES))

        assert ">Mine<" not in page
        assert ">Ours</a>" in page
        assert "shared by supervisor" in page

    def test_of_the_same_name_is_replaced(self, supervisor: Client) -> None:
        """One view of a name for a person and list."""
        save(supervisor)
        save(supervisor, query="which=all")

        assert SavedView.objects.get().query == "which=all"

    def test_is_removed_by_its_owner_only(self, supervisor: Client, colleague: Client) -> None:
        """Also a shared one."""
        save(supervisor, is_shared="on")
        address = f"/admin/lists/views/{SavedView.objects.get().pk}/remove/"

        assert colleague.post(address, {"back": CASES}).status_code == 404
        assert SavedView.objects.count() == 1
        assert supervisor.post(address, {"back": CASES})["Location"] == CASES
        assert SavedView.objects.count() == 0

    @pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/", "javascript:x"])
    def test_leads_to_no_other_site(self, supervisor: Client, back: str) -> None:
        """The address to return to is sent by the page."""
        values = {"list_name": "cases", "name": "Refunds", "query": QUERY, "back": back}

        assert supervisor.post(SAVE, values)["Location"] == "/admin/"

    def test_needs_a_name(self, supervisor: Client) -> None:
        """Nothing is saved, and the field is named."""
        answer = supervisor.post(SAVE, {"list_name": "cases", "back": CASES}, follow=True)

        assert "Name: This field is required." in page_html(answer)
        assert not SavedView.objects.exists()


class TestTheColumns:
    def test_that_are_not_chosen_are_hidden(self, supervisor: Client) -> None:
        """The first and the third of five are chosen; a style sheet hides the others."""
        open_table()

        query = {"columns": ["code", "rules"]}
        page = page_html(supervisor.get("/admin/rounds/table/", query))

        assert re.findall(r'<table class="rows([^"]*)"', page)[0].split() == [
            "hide-2",
            "hide-4",
            "hide-5",
        ]

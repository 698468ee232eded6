"""Every address of the site answers every role as the table of permissions says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.security.page_permissions import COLUMNS, declared
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, lines

pytestmark = pytest.mark.django_db
_QUICK: Final = {("nobody", False), ("nobody", True), ("auditor", True), ("supervisor", False)}
"""Roles, and whether they post; the others are slow proofs."""
API: Final = ("api/v1", "scim/v2")
MARKS: Final = {400: "4", 200: "p", 302: ">", 403: ".", 404: "-", 405: "!", 503: "u"}


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    """Every route of the URL configuration."""
    for pattern in patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            yield route


def address(route: str) -> str:
    """The route filled in with existing objects."""
    words = route.split("/")
    if "<path:object_id>" in route and words[1] != "r":
        model: type[Model] = apps.get_model(words[1], words[2])
        row = model._default_manager.first()
        route = route.replace("<path:object_id>", str(row.pk if row else 0))
    a_table, a_reason = apps.get_model("rounds", "Table"), apps.get_model("payouts", "Reason")
    a_customer = apps.get_model("rounds", "Customer")
    by_subject = {"reasons": a_reason, "customers": a_customer}
    numbered = next((by_subject[word] for word in words if word in by_subject), a_table)
    filled = {
        "lists/<str:kind>": "lists/tables",
        r"^lists/(?P<kind>tables|limits|reasons)/export\.": "lists/tables/export.",
        "(?P<form>csv|xlsx)$": "csv",
        "<uuid:round_id>": str(apps.get_model("rounds", "Round").objects.get().pk),
        "<uuid:record_id>": str(apps.get_model("trail", "AuditRecord").objects.all()[0].pk),
        "<uuid:proposal>": "018f0000-0000-7000-8000-000000000000",
        "<uuid:webhook_id>": "018f0000-0000-7000-8000-000000000000",  # none, as of the following
        "<int:case_id>": "1",  # none: 404 for those who may, 403 first for the others
        "<int:evidence_id>": "1",
        "<int:hold_id>": "999",
        "<int:analysis_id>": "999",
        "<int:dispute_id>": "999",
        "<int:run_id>": "999",
        "<int:number>": "1",
        "<int:sequence>": "1",
        "<str:register>": "bets",
        "<path:name>": "baccarat/1",
        "<path:object_id>": "1",
        "<str:day>": "2026-11-21",
        "change/<str:kind>": "change/factors",
        "<str:kind>": "conflict",
        "<str:key>": str(apps.get_model("rounds", "ConflictingDocument").objects.get().pk),
        "<str:form>": "json",
        "<int:pk>": str(numbered._default_manager.all()[0].pk),
        "<int:person>": str(User.objects.get(username="other").pk),
        "<id>": str(User.objects.get(username="other").pk),
        "(?P<url>.*)$": "nowhere/",
        "<tile:tile>": "0/000",
    }
    for part, value in filled.items():
        route = route.replace(part, value)
    return f"/{route}"


def browser_of(role: str) -> Client:
    """A browser in which a person of this role has logged in."""
    browser = Client()
    if role != "nobody":
        browser.force_login(User.objects.get(username=role))
    return browser


def mark(place: str, browser: Client, *, posted: bool) -> str:
    """The mark of the answer."""
    answer = (browser.post if posted else browser.get)(place)
    if answer.status_code == 302 and answer["Location"].startswith("/admin/login/"):
        return "L"
    return MARKS[answer.status_code]


@pytest.fixture(autouse=True)
def _no_certificate(settings: Settings, tmp_path: Path) -> None:
    """Uses a key path without a file."""
    settings.EXPORT_KEY = str(tmp_path / "export.key")


@pytest.fixture(autouse=True)
def _casino() -> None:
    """A row of each kind, and a person of each role."""
    User.objects.create_user("other")
    for role in COLUMNS[1:]:
        person(role)
    open_table()
    ingest(lines(baccarat_round("r-1"), baccarat_round("r-1", session="M2"), "no document"))
    settle()


class TestEveryAddress:
    def test_is_in_the_table(self) -> None:
        """New addresses need a row.

        Addresses of the API are in tests/casino/api/addresses.py.
        """
        known = set(routes(get_resolver().url_patterns))

        assert {route for route in known if not route.startswith(API)} == set(declared())

    @pytest.mark.parametrize(
        ("role", "posted"),
        [
            pytest.param(role, posted, marks=[] if (role, posted) in _QUICK else [pytest.mark.slow])
            for role in COLUMNS
            for posted in (False, True)
        ],
    )
    def test_answers_as_the_table_says(self, role: str, posted: bool) -> None:
        """For every role, by GET and POST."""
        column = COLUMNS.index(role)
        table, browser, answers = declared(), browser_of(role), {}
        places = {route: address(route) for route in table}

        for route, place in places.items():
            answers[route] = mark(place, browser, posted=posted)
            if role != "nobody" and "_auth_user_id" not in browser.session:
                browser = browser_of(role)  # that was the way out

        assert answers == {route: marks[column][posted] for route, marks in table.items()}


class TestTheMenu:
    @pytest.mark.parametrize(
        "role",
        [
            pytest.param(role, marks=[] if role == "administrator" else [pytest.mark.slow])
            for role in COLUMNS[1:]
        ],
    )
    def test_leads_to_pages_of_the_role_only(self, role: str) -> None:
        """A refused page is not offered; a customer's data are no administrator's business."""
        browser = browser_of(role)
        page = browser.get("/admin/security/").content.decode()
        menu = page.partition('id="nav-sidebar"')[2].partition('id="main"')[0]

        links = set(re.findall(r'href="(/admin/[^"]*)"', menu))

        assert len(links) > 3
        assert {link: mark(link, browser, posted=False) for link in links} == dict.fromkeys(
            links, "p"
        )

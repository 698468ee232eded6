"""Errors have pages that say what happened and what to do (issue 17, item 12)."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings as configured
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from pytest_django import DjangoDbBlocker

from casino.backoffice.site import error_pages
from tests.casino.backoffice.conftest import PASSWORD, person
from tests.casino.backoffice.second_factors import code_of

_TYPED = "/admin/holds/?which=1"


@pytest.fixture
def browser(db: None) -> Client:
    """A browser that gets error pages instead of exceptions, and needs CSRF tokens."""
    browser = Client(raise_request_exception=False, enforce_csrf_checks=True)
    browser.force_login(person("auditor"))
    browser.cookies["django_language"] = "en"
    return browser


def is_own_page(answer: Any) -> bool:
    """Whether the answer is a page of Sabot with the request id."""
    text = answer.content.decode()
    number = answer.headers["Request-Id"]
    assert str(UUID(number)) == number
    return "sabot/css/error.css" in text and number in text


class TestAPage:
    def test_of_404(self, browser: Client) -> None:
        """For logged-in people, also outside of /admin."""
        inside, outside = browser.get("/admin/nothing/here/"), browser.get("/nothing")

        assert (inside.status_code, outside.status_code) == (404, 404)
        assert is_own_page(inside)
        assert is_own_page(outside)
        assert b"Page not found" in outside.content

    def test_of_403(self, browser: Client) -> None:
        """An auditor sees no users."""
        answer = browser.get("/admin/people/")

        assert answer.status_code == 403
        assert is_own_page(answer)
        assert b"Access denied" in answer.content

    def test_of_a_missing_csrf_token(self, browser: Client) -> None:
        """It links back to the form."""
        answer = browser.post(
            "/admin/holds/", {}, headers={"referer": f"http://testserver{_TYPED}"}
        )

        assert answer.status_code == 403
        assert is_own_page(answer)
        assert b"The form could not be verified" in answer.content
        assert f'href="{_TYPED}"'.encode() in answer.content

    @pytest.mark.parametrize(
        "referer", ["https://evil.example/", "//evil.example/x", "javascript:alert(1)", "http:///x"]
    )
    def test_leads_to_no_other_site(self, browser: Client, referer: str) -> None:
        """A foreign Referer is not linked."""
        answer = browser.post("/admin/holds/", {}, headers={"referer": referer})

        assert b"evil" not in answer.content
        assert b"alert(1)" not in answer.content
        assert b"Back to the page before" not in answer.content

    def test_of_405(self, browser: Client) -> None:
        """With the header Allow."""
        answer = browser.get("/admin/security/codes/")

        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
        assert is_own_page(answer)

    def test_of_an_unknown_host(self, browser: Client) -> None:
        """The host is not repeated."""
        answer = browser.get("/admin/", headers={"host": "evil.example"})

        assert answer.status_code == 400
        assert is_own_page(answer)
        assert b"evil" not in answer.content

    def test_speaks_italian(self, browser: Client) -> None:
        """By Accept-Language."""
        browser.cookies["django_language"] = "it"

        assert b'<html lang="it">' in browser.get("/nothing").content

    @pytest.mark.parametrize("status", error_pages.ERROR_MESSAGES)
    def test_of_each_status_is_complete(self, status: int) -> None:
        """What happened, what to do, and the request id."""
        request = RequestFactory().get("/x")

        answer = error_pages.error_page(request, status)

        assert answer.status_code == status
        assert is_own_page(answer)

    def test_replaces_an_empty_answer(self) -> None:
        """Whichever middleware refused."""
        bare = error_pages.NoBlankPages(lambda _request: HttpResponse(status=413))
        middleware = error_pages.NoBlankPages(lambda _request: HttpResponse("words", status=413))

        shown = bare(RequestFactory().post("/admin/uploads/"))
        assert isinstance(shown, HttpResponse)
        assert is_own_page(shown)
        assert middleware(RequestFactory().post("/x")).content == b"words"  # type: ignore[attr-defined]


class TestAFailure:
    def test_is_shown_and_logged_with_one_number(
        self, browser: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Page and log have the same request id."""

        def fail(_request: HttpRequest) -> HttpResponse:
            raise RuntimeError("the disk is gone")

        monkeypatch.setattr("casino.backoffice.site.views.admin.site.each_context", fail)

        answer = browser.get("/admin/security/")

        assert answer.status_code == 500
        assert is_own_page(answer)
        assert b"disk" not in answer.content
        assert answer.headers["Request-Id"] in caplog.text

    def test_needs_no_database(
        self, monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker
    ) -> None:
        """The page is shown without a query."""
        browser = Client(raise_request_exception=False)
        browser.cookies[configured.SESSION_COOKIE_NAME] = "a session"

        with django_db_blocker.block():
            answer = browser.get("/admin/")

        assert answer.status_code == 500
        assert is_own_page(answer)

    def test_takes_no_query(self, db: None) -> None:
        """For logged-in people, too."""
        request = RequestFactory().get("/admin/")
        request.user = User(username="nobody")
        requested: list[str] = []

        def note(execute: object, sql: str, *_rest: object) -> None:
            requested.append(sql)

        with connection.execute_wrapper(note):
            answer = error_pages.failed(request)

        assert is_own_page(answer)
        assert requested == []

    def test_has_no_style_from_elsewhere(self) -> None:
        """The page is self-contained."""
        template = Path(configured.BASE_DIR, "templates/backoffice/site/error.html").read_text()

        assert "http" not in template.replace("http-equiv", "")


class TestPrograms:
    @pytest.mark.parametrize("path", ["/api/nothing", "/api/v1/nothing"])
    def test_are_answered_with_problems(self, db: None, path: str) -> None:
        """The API never answers with pages."""
        answer = Client().get(path)

        assert answer.status_code == 404
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["instance"] == f"urn:uuid:{answer.headers['Request-Id']}"


class TestASessionThatEnded:
    @pytest.mark.parametrize(
        ("referer", "leads_to"),
        [
            ("http://testserver/admin/holds/?q=1", "/admin/holds/?q=1"),
            ("https://evil.example/admin/", "/admin/security/codes/"),
            ("http://testserver/admin/login/?next=/x", "/admin/security/codes/"),
            ("", "/admin/security/codes/"),
        ],
    )
    def test_leads_by_login_back_to_the_page_of_the_form(
        self, db: None, referer: str, leads_to: str
    ) -> None:
        """Other sites, and addresses that need POST, are not linked."""
        someone = person("supervisor")
        browser = Client(headers={"referer": referer})

        sent = browser.post("/admin/security/codes/")
        credentials = {"username": someone.username, "password": PASSWORD}
        second = browser.post(sent.headers["Location"], credentials)
        entered = browser.post(second.headers["Location"], {"code": code_of(someone)})

        assert sent.status_code == 302
        assert second.headers["Location"].startswith("/admin/login/second/")
        assert entered.headers["Location"] == leads_to

"""Page views of auditors are recorded (issue 5, point 7)."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from casino.access.roles import ROLES
from compliance.trail.models import AuditRecord
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.second_factors import give_phone

pytestmark = pytest.mark.django_db

RECORDS = "/admin/trail/auditrecord/"


def browser_of(someone: User) -> Client:
    """A browser in which the person has logged in."""
    browser = Client(REMOTE_ADDR="192.0.2.7")
    browser.force_login(someone)
    return browser


def viewed() -> list[tuple[str, int | None, str, dict[str, Any]]]:
    """The recorded page views."""
    rows = AuditRecord.objects.filter(action="PAGE_VIEWED").order_by("id")
    return [(row.actor, row.actor_user_id, row.subject, row.details) for row in rows]


class TestAPageViewOfAnAuditor:
    def test_is_recorded_once_with_its_query(self) -> None:
        """With the query."""
        auditor = person("auditor")

        browser_of(auditor).get(f"{RECORDS}?subject=round:r-1")

        details = {"path": f"{RECORDS}?subject=round:r-1", "address": "192.0.2.7"}
        assert viewed() == [("auditor", auditor.pk, f"user:{auditor.pk}", details)]

    def test_is_recorded_each_time(self) -> None:
        """Repeated views are recorded in order."""
        browser = browser_of(person("auditor"))

        for page in ("/admin/", RECORDS, "/admin/"):
            browser.get(page)

        assert [details["path"] for *_, details in viewed()] == ["/admin/", RECORDS, "/admin/"]

    def test_is_recorded_with_a_second_role(self) -> None:
        """An auditor with another role is recorded, too."""
        auditor = person("auditor")
        auditor.groups.add(person("compliance").groups.get())
        give_phone(auditor)  # which the second role needs

        browser_of(auditor).get("/admin/")

        assert len(viewed()) == 1


class TestWhatIsNotRecorded:
    @pytest.mark.parametrize("role", [role for role in ROLES if role != "auditor"])
    def test_is_a_page_of_another_role(self, role: str) -> None:
        """Only their actions are recorded."""
        answer = browser_of(person(role)).get("/admin/")

        assert (answer.status_code, viewed()) == (200, [])

    def test_is_an_anonymous_page_view(self) -> None:
        """The login page."""
        answer = Client().get("/admin/login/")

        assert (answer.status_code, viewed()) == (200, [])

    @pytest.mark.parametrize(
        ("page", "status"), [("/admin/people/", 403), ("/", 302), ("/admin/nowhere/", 404)]
    )
    def test_is_a_page_that_was_not_shown(self, page: str, status: int) -> None:
        """Refused and missing pages."""
        answer = browser_of(person("auditor")).get(page)

        assert (answer.status_code, viewed()) == (status, [])

    def test_is_what_is_no_page(self) -> None:
        """Scripts, images and posted forms."""
        browser = browser_of(person("auditor"))

        script = browser.get("/admin/jsi18n/")
        posted = browser.post("/i18n/setlang/", {"language": "en"})

        assert (script.status_code, posted.status_code, viewed()) == (200, 302, [])

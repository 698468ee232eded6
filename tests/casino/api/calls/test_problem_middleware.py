"""Errors outside the API views are problem documents (issue 8).

Over a real server, whose answers are those of production: DEBUG is off.
"""

import http.client
import json
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from casino.access.read_only_roles import ReadOnlyAuditorMiddleware
from casino.access.roles import AUDITOR
from tests.casino.api.api_client import TOKENS, a_customer, issued
from tests.casino.api.web_server import served
from tests.casino.backoffice.second_factors import give_phone

_MEMBERS: Final = {"type", "title", "status", "detail", "instance", "errors"}
# What is sent: method, address, headers. What comes: status, kind of problem, where it was wrong.
REFUSED: Final[list[tuple[str, str, dict[str, str], int, str, list[str]]]] = [
    ("GET", "/api/v1/rounds", {"Host": "evil.example"}, 400, "malformed", ["header:Host"]),
    ("GET", "/api/v1/rounds", {"Host": "a b"}, 400, "malformed", ["header:Host"]),
    ("POST", "/api/v2/rounds", {}, 404, "not-found", ["path"]),
    ("GET", "/api/v2/", {}, 404, "not-found", ["path"]),
    ("GET", "/api/v1/nothing%00", {}, 404, "not-found", ["path"]),
    ("POST", "/api/v1/reference", {}, 405, "method-not-allowed", []),
    ("BREW", "/api/v1/rounds", {}, 405, "method-not-allowed", ["method"]),
]


def call(
    address: str, method: str, path: str, headers: dict[str, str]
) -> tuple[http.client.HTTPResponse, Any]:
    """Sends a call; returns the answer and its JSON."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


@pytest.mark.slow
@pytest.mark.usefixtures("fresh_casino")
def test_refusals_before_views_are_problems(tmp_path: Path) -> None:
    """They have a request id, the requested language and no-store."""
    with served(tmp_path, processes=1) as address:
        for method, path, headers, status, kind, places in REFUSED:
            answer, content = call(address, method, path, {"Accept-Language": "it", **headers})

            document = json.loads(content)
            assert answer.headers["Content-Type"] == "application/problem+json", path
            assert answer.headers["Cache-Control"] == "no-store"
            assert (answer.status, document["status"]) == (status, status)
            assert document.keys() == _MEMBERS
            assert document["type"] == f"/api/v1/problems/{kind}"
            assert document["instance"] == f"urn:uuid:{answer.headers['Request-Id']}"
            assert [error["field"] for error in document["errors"]] == places, path
        italian, _ = call(address, "GET", "/api/v2/", {"Accept-Language": "it"})
        page, content = call(address, "GET", "/nothing", {"Host": "evil.example"})

    assert italian.headers["X-Content-Type-Options"] == "nosniff"  # as all answers have it
    assert page.status == 400
    assert b"<html" in content  # a person's page stays one


@pytest.mark.django_db
class TestWithAPersonsSession:
    def test_a_write_by_an_auditor_session_has_a_remedy(self) -> None:
        """An auditor's session cannot write, not even with a key; a program can."""
        a_customer()
        auditor = User.objects.create_user("vera")
        auditor.groups.add(Group.objects.get_or_create(name=AUDITOR)[0])
        give_phone(auditor)
        browser = Client(raise_request_exception=False)
        browser.force_login(auditor)
        headers = {"Authorization": f"Bearer {issued().token}", "Idempotency-Key": "1"}

        answer = browser.post(
            TOKENS, {"customer": "p-1"}, content_type="application/json", headers=headers
        )

        document = json.loads(answer.content)
        assert answer.status_code == 403
        assert document["type"] == "/api/v1/problems/session-refused"

    def test_a_failure_is_a_server_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An exception before the view is logged and not shown."""

        def broken(*_request: object) -> None:
            raise RuntimeError("secret")

        monkeypatch.setattr(ReadOnlyAuditorMiddleware, "process_view", broken)

        answer = Client(raise_request_exception=False).get("/api/v1/rounds")

        document = json.loads(answer.content)
        assert (answer.status_code, document["status"]) == (500, 500)
        assert document["type"] == "/api/v1/problems/failed"
        assert b"secret" not in answer.content

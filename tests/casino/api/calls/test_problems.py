"""Every error is a problem document (RFC 9457)."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from django.db import DatabaseError, Error, InterfaceError, OperationalError
from django.http import HttpResponse

from casino.api.customers import tokens
from casino.api.problems import PROBLEM_TYPES
from casino.integrations.rate_limit import count_call
from tests.casino.api.api_client import TOKENS, Program, a_customer, issued, json_of, slug_of

pytestmark = pytest.mark.django_db

_MEMBERS: Final = {"type", "title", "status", "detail", "instance", "errors"}
Call = Callable[[Program], HttpResponse]
ASK: Final = {"customer": "p-1"}

# What is sent; which problem that is, its status, and the errors that it names.
WRONG: Final[dict[str, tuple[Call, int, list[tuple[str, Any]]]]] = {
    "not-found": (
        lambda program: program.get("/api/v1/nothing"),
        404,
        [("path", "/api/v1/nothing")],
    ),
    "method-not-allowed": (
        lambda program: program.call("DELETE", TOKENS),
        405,
        [("method", "DELETE")],
    ),
    "not-acceptable": (lambda program: program.post(TOKENS, ASK, Accept="text/csv"), 406, []),
    "unsupported-media-type": (
        lambda program: program.post(TOKENS, b"a,b", Content_Type="text/csv"),
        415,
        [("header:Content-Type", "text/csv")],
    ),
    "malformed": (lambda program: program.post(TOKENS, b'{"customer":'), 400, []),
    "idempotency-key-missing": (
        lambda program: program.call("POST", TOKENS, ASK),
        400,
        [("header:Idempotency-Key", None)],
    ),
    "too-large": (
        lambda program: program.post(TOKENS, b" " * (1 << 20) + b"{}"),
        413,
        [("header:Content-Length", "1048578")],
    ),
    "refused": (
        lambda program: program.post(TOKENS, {"minutes": "long"}),
        422,
        [("/customer", None), ("/minutes", "long")],
    ),
}


def assert_is_problem(answer: HttpResponse, slug: str, status: int) -> None:
    """Asserts that an answer is a complete problem document with its headers."""
    document = json_of(answer)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Cache-Control"] == "no-store"
    assert document.keys() == _MEMBERS
    assert (answer.status_code, document["status"], slug_of(answer)) == (status, status, slug)
    assert document["title"] == str(PROBLEM_TYPES[slug].title)
    assert document["instance"] == f"urn:uuid:{answer.headers['Request-Id']}"


@pytest.fixture
def program() -> Program:
    """A program with every scope, and the customer p-1."""
    a_customer()
    return Program(issued().token)


class TestAProblem:
    @pytest.mark.parametrize("slug", WRONG)
    def test_says_what_was_found_where(self, program: Program, slug: str) -> None:
        """Each error has the field, the value found and the value needed."""
        call, status, errors = WRONG[slug]

        answer = call(program)

        assert_is_problem(answer, slug, status)
        named = json_of(answer)["errors"]
        assert [(error["field"], error["found"]) for error in named] == errors
        assert all(error["needed"] for error in named)

    def test_of_a_service_names_the_field_too(self, program: Program) -> None:
        """Errors that need the database name their field, too."""
        answer = program.post(TOKENS, {"customer": "p-9"})

        [error] = json_of(answer)["errors"]
        assert (error["field"], error["found"]) == ("/customer", "p-9")

    def test_lists_the_allowed_methods(self, program: Program) -> None:
        """A 405 has the header Allow."""
        answers = program.call("PUT", TOKENS), program.call("OPTIONS", "/api/v1/")

        assert [answer.status_code for answer in answers] == [405, 405]
        assert [answer.headers["Allow"] for answer in answers] == ["POST", "GET, HEAD"]

    def test_is_returned_for_a_server_error(
        self, program: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The answer says nothing about the cause; effects are rolled back."""

        def fail(**_requested: object) -> None:
            raise DatabaseError("secret inner workings")

        monkeypatch.setattr(tokens, "issue_customer_token", fail)

        answer = program.post(TOKENS, ASK)

        assert_is_problem(answer, "failed", 500)
        assert b"inner" not in answer.content

    @pytest.mark.parametrize("error", [OperationalError, InterfaceError])
    def test_says_when_to_call_again_without_the_database(
        self, program: Program, monkeypatch: pytest.MonkeyPatch, error: type[Error]
    ) -> None:
        """Clients repeat a 503 (docs/api.md), not a 500. The soak meets it without a database."""

        def fail(**_requested: object) -> None:
            raise error("secret inner workings")

        monkeypatch.setattr(tokens, "issue_customer_token", fail)

        answer = program.post(TOKENS, ASK)

        assert_is_problem(answer, "unavailable", 503)
        assert answer.headers["Retry-After"] == "2"
        assert b"inner" not in answer.content

    def test_is_returned_when_the_rate_limit_is_exceeded(self) -> None:
        """The answer has Retry-After."""
        key = issued(calls_per_minute=1)
        count_call(f"key:{key.key.handle}", per_minute=1)

        answer = Program(key.token).post(TOKENS, ASK)

        assert_is_problem(answer, "throttled", 429)
        assert 0 < int(answer.headers["Retry-After"]) <= 60

    @pytest.mark.parametrize("language", ["it-IT,it;q=0.9,en;q=0.5", "it"])
    def test_is_in_italian_by_accept_language(self, language: str) -> None:
        """Unsupported languages are answered in English."""
        italian = json_of(Program("", language=language).post(TOKENS, ASK))
        english = [
            json_of(Program("", language=language).post(TOKENS, ASK))
            for language in ("", "de", "en")
        ]

        assert italian["title"] == "La richiesta non ha una chiave"
        assert {problem["title"] for problem in english} == {"The request has no key"}


class TestAKindOfProblem:
    @pytest.mark.parametrize("slug", PROBLEM_TYPES)
    def test_is_explained_at_its_type(self, slug: str) -> None:
        """The address of a problem type needs no key."""
        document = json_of(Program("").get(PROBLEM_TYPES[slug].type))

        assert document["status"] == PROBLEM_TYPES[slug].status
        assert document["remedy"]

    def test_is_listed(self) -> None:
        """The list has every problem type."""
        listed = json_of(Program("").get("/api/v1/problems"))

        assert [problem_type["type"] for problem_type in listed["data"]] == [
            problem_type.type for problem_type in PROBLEM_TYPES.values()
        ]

    def test_that_does_not_exist_is_not_found(self) -> None:
        """The answer lists the existing kinds."""
        answer = Program("").get("/api/v1/problems/nothing")

        [error] = json_of(answer)["errors"]
        assert (error["field"], error["found"]) == ("path:slug", "nothing")

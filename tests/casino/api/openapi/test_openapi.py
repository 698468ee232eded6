"""The OpenAPI document is valid and complete (issue 8)."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import call_command
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from casino.api.index import openapi_document
from casino.api.openapi.enumerations import ENUMERATIONS
from casino.api.openapi.headers import HEADERS
from casino.integrations.scopes import Open
from tests.casino.api.addresses import views
from tests.casino.api.api_client import Program, issued, json_of
from tests.casino.api.openapi.recorder import sent_headers

_CONVERTER: Final = re.compile("<[a-z]+:")
_JSON: Final = ("application/json", "application/problem+json")


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every described operation: path, method, description."""
    for path, methods in openapi_document()["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def examples() -> Iterator[tuple[dict[str, Any], Any]]:
    """Every example with its schema."""
    for _path, _method, operation in operations():
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for body in bodies:
            for media_type in _JSON:
                content = body.get("content", {}).get(media_type, {})
                for example in content.get("examples", {}).values():
                    yield content["schema"], example["value"]


class TestTheDescription:
    @pytest.mark.slow
    def test_is_openapi_3_1(self) -> None:
        """The document is valid by the schema of OpenAPI 3.1."""
        validate_schema(openapi_document())  # type: ignore[no-untyped-call]  # theirs

        assert openapi_document()["openapi"].startswith("3.1.")

    def test_is_public(self, db: None) -> None:
        """No key is needed; the document is always English."""
        answer = Program("", language="it").get("/api/v1/schema")

        assert json_of(answer) == openapi_document()

    def test_has_every_call(self) -> None:
        """Every path and method of the URL configuration."""
        supported = {
            (view, method)
            for view in views().values()
            for method in view.required_scopes
            if view.schema is not None
        }

        assert len(list(operations())) == len(supported)

    def test_declares_the_accepted_query_parameters(self) -> None:
        """Exactly those that the view accepts."""
        by_path = {
            ("/api/v1/" + _CONVERTER.sub("{", pattern).replace(">", "}")).rstrip("/"): view
            for pattern, view in views().items()
        }
        wrong = [
            (path, method)
            for path, method, operation in operations()
            if (view := by_path[path]).required_scopes[method] is not Open.TO_ALL
            and set(getattr(view, method.lower()).query_params)
            != {
                parameter["name"]
                for parameter in operation.get("parameters", ())
                if parameter["in"] == "query"
            }
        ]

        assert wrong == []

    def test_declares_the_scopes_of_each_call(self) -> None:
        """``x-scopes`` has the scopes of the view."""
        keyed = {
            view.required_scopes[m] for view in views().values() for m in view.required_scopes
        } - {Open.TO_ALL}

        declared_scopes = {
            tuple(operation.get("x-scopes", ()))
            for _p, _m, operation in operations()
            if operation["security"]
        }
        assert declared_scopes == {
            () if isinstance(scopes, Open) else tuple(scope.value for scope in scopes)
            for scopes in keyed
        }

    def test_has_examples_that_fit(self) -> None:
        """Every example is valid by its schema."""
        root = openapi_document()
        for schema, value in examples():
            whole = {**schema, "components": root["components"]}
            Draft202012Validator(whole).validate(value)

    def test_has_an_example_of_every_body(self) -> None:
        """Every request and answer has one (issue 8)."""
        without = [
            (path, method, media_type)
            for path, method, operation in operations()
            for body in (operation.get("requestBody", {}), *operation["responses"].values())
            for media_type, content in body.get("content", {}).items()
            if not content.get("examples")
        ]

        assert without == []

    def test_names_every_enumeration(self, tmp_path: Path) -> None:
        """Generation gives no warning, and no name is made of a hash or a suffix."""
        command = ("spectacular", "--format", "openapi-json", "--fail-on-warn")
        call_command(*command, "--file", str(tmp_path / "openapi.json"))

        schemas = openapi_document()["components"]["schemas"]
        enumerations = {name for name, schema in schemas.items() if "enum" in schema}
        assert enumerations == ENUMERATIONS.keys() | {"FeedCard", "FeedPlace"}
        assert [name for name in schemas if name.endswith("Enum")] == []

    def test_refers_to_declared_headers_only(self) -> None:
        """And every declared header is that of an answer."""
        sent = {
            (name, header["$ref"])
            for _path, _method, operation in operations()
            for answer in operation["responses"].values()
            for name, header in answer["headers"].items()
        }

        assert sent == {(name, f"#/components/headers/{name}") for name in HEADERS}

    def test_has_an_idempotency_key_of_its_own_for_each_call(self) -> None:
        """An example that is sent as it stands is no repetition of another."""
        keys = [
            parameter["example"]
            for _path, _method, operation in operations()
            for parameter in operation.get("parameters", ())
            if parameter["name"] == "Idempotency-Key"
        ]

        assert len(keys) == len(set(keys)) > 10


class TestProblems:
    """Their headers are the described ones; ``test_recorded_examples.py`` has the others."""

    pytestmark = pytest.mark.django_db

    @pytest.mark.parametrize(
        ("status", "name", "path", "headers"),
        [
            (401, "list_rounds", "/rounds", {"Authorization": "Bearer x"}),
            (404, "read_round", "/rounds/r-1", {}),
            (406, "list_rounds", "/rounds", {"Accept": "text/css"}),
            (422, "list_rounds", "/rounds?limit=0", {}),
        ],
    )
    def test_have_the_declared_headers(
        self, status: int, name: str, path: str, headers: dict[str, str]
    ) -> None:
        """Each of them, and no other."""
        answer = Program(issued().token).get(f"/api/v1{path}", **headers)

        assert (answer.status_code, sent_headers(answer)) == (
            status,
            declared_headers(name, status),
        )

    def test_with_a_pause_have_its_length(self) -> None:
        """The second call of a minute."""
        program = Program(issued(calls_per_minute=1).token)
        program.get("/api/v1/rounds")

        answer = program.get("/api/v1/rounds")

        assert (answer.status_code, sent_headers(answer)) == (
            429,
            declared_headers("list_rounds", 429),
        )
        assert int(answer.headers["Retry-After"]) > 0


def declared_headers(name: str, status: int) -> set[str]:
    """The described headers of an answer."""
    [operation] = [found for _p, _m, found in operations() if found["operationId"] == name]
    return set(operation["responses"][str(status)]["headers"])

"""The client matches the OpenAPI document: every operation, every field (issue 8)."""

import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from datetime import date, datetime
from types import FunctionType, NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import pytest

from casino.api.client import Sabot
from casino.api.client import problems as families
from casino.api.client.calls import Operation
from casino.api.client.reading import fields_of
from casino.api.client.shapes.rounds import LineResult
from casino.api.index import openapi_document
from casino.api.problems import PROBLEM_TYPES
from rounds.uploads.document_answers import VERDICTS

_JSON: Final = "application/json"
_BY_METHODS: Final = {"cursor"}
"""What methods say by themselves: lists are iterators."""
_PLAIN: Final = {
    str: "string",
    int: "integer",
    bool: "boolean",
    NoneType: "null",
    UUID: "string:uuid",
    datetime: "string:date-time",
    date: "string:date",
}


def resources() -> Iterator[object]:
    """The resources of a client, which have its methods."""
    with Sabot("http://127.0.0.1", "") as sabot:
        yield from (resource for name, resource in vars(sabot).items() if not name.startswith("_"))


def methods() -> Iterator[tuple[Operation[Any], FunctionType]]:
    """Every operation with the client method that names it."""
    for resource in resources():
        for _name, method in inspect.getmembers(type(resource), inspect.isfunction):
            for name in method.__code__.co_names:
                operation = method.__globals__.get(name)
                if isinstance(operation, Operation):
                    yield operation, method


def parameters_of(method: FunctionType) -> set[str]:
    """The names of its parameters; filters are those of a TypedDict."""
    names = set(inspect.signature(method).parameters)
    filters = [get_args(method.__annotations__["filters"])[0]] if "filters" in names else []
    return names.union(*(get_type_hints(declared) for declared in filters))


def declared_operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Every described operation by its id."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, of_path in openapi_document()["paths"].items()
        for method, operation in of_path.items()
    }


def body_of(operation: Operation[Any]) -> dict[str, Any]:
    """The schema of an operation's answer; null for an empty body."""
    _method, _path, declared = declared_operations()[operation.name]
    bodies = [
        answer.get("content", {})
        for status, answer in declared["responses"].items()
        if status < "3"
    ]
    schemas = [content[_JSON]["schema"] for content in bodies if _JSON in content]
    named = [
        schema
        for schema in schemas
        if schema.get("$ref", "").endswith(f"/{operation.answer.__name__}")
    ]
    return dict((named or schemas or [{"type": "null"}])[0])


def is_file(operation: Operation[Any]) -> bool:
    """Whether an operation returns a file."""
    _method, _path, declared = declared_operations()[operation.name]
    schemas = [content["schema"] for content in declared["responses"]["200"]["content"].values()]
    return {"type": "string", "format": "binary"} in schemas


def arms(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each alternative of a value: its name and its schema."""
    if "$ref" in schema:
        yield from arms(
            openapi_document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        )
    elif choices := [*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())]:
        for choice in choices:
            yield from arms(choice)
    elif schema.get("enum") == [None]:
        yield "null", schema
    else:
        kinds = schema.get("type", [])
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            form = schema.get("format") if kind == "string" else None
            yield (f"{kind}:{form}" if form in ("uuid", "date", "date-time") else kind), schema


def differences(shape: Any, schema: dict[str, Any], place: str) -> Iterator[str]:
    """The differences between a client type and a schema."""
    expected = dict(arms(schema))
    hints = get_args(shape) if get_origin(shape) in (Union, UnionType) else (shape,)
    for hint in hints:
        name = _name(hint)
        if name not in expected:
            yield f"{place}: {name} is none of {sorted(expected)}"
        elif name == "array":
            yield from differences(get_args(hint)[0], expected[name]["items"], f"{place}/0")
        elif is_dataclass(get_origin(hint) or hint):
            yield from _fields_that_differ(hint, expected[name], place)
    if missing := expected.keys() - {_name(hint) for hint in hints}:
        yield f"{place}: nothing is a {sorted(missing)}"


def _name(hint: Any) -> str:
    if hint in _PLAIN:
        return _PLAIN[hint]
    return "array" if get_origin(hint) is tuple else "object"


def _fields_that_differ(shape: Any, schema: dict[str, Any], place: str) -> Iterator[str]:
    declared, has = schema["properties"], {field.name: field for field in fields_of(shape)}
    for name in declared.keys() ^ has.keys():
        yield f"{place}/{name}: only {'described' if name in declared else shape.__name__}"
    for name in declared.keys() & has.keys():
        if has[name].is_required != (name in schema["required"]):
            yield f"{place}/{name}: needed by one of them alone"
        hint = has[name].shape
        if not has[name].is_required:
            [hint] = [
                hint_part for hint_part in get_args(hint) or [hint] if hint_part is not NoneType
            ]
        yield from differences(hint, declared[name], f"{place}/{name}")


OPERATIONS: Final = [operation for operation, _method in methods()]


class TestTheClient:
    def test_has_every_call(self) -> None:
        """Operations agree by name, method and path."""
        declared = {
            (name, operation[0], operation[1]) for name, operation in declared_operations().items()
        }

        has = {
            (operation.name, operation.method, f"/api/v1{operation.path}")
            for operation in OPERATIONS
        }

        assert has == declared

    def test_has_every_query_parameter(self) -> None:
        """Each query parameter is a parameter of a method."""
        requested: dict[str, set[str]] = {}
        for operation, method in methods():
            names = {name.removesuffix("_") for name in parameters_of(method)}
            requested.setdefault(operation.name, set()).update(names)

        missing = {
            (name, parameter["name"])
            for name, (_method, _path, declared) in declared_operations().items()
            for parameter in declared.get("parameters", ())
            if parameter["in"] == "query" and parameter["name"] not in requested[name] | _BY_METHODS
        }

        assert missing == set()

    @pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
    def test_reads_each_answer_of_the_document(self, operation: Operation[Any]) -> None:
        """Names, types, nullable and optional fields agree."""
        if operation.answer is bytes:
            assert is_file(operation)
            return
        if operation.answer is LineResult:  # lines, which OpenAPI has no schema for
            assert set(VERDICTS) == {"accepted", "known", "conflict", "refused"}
            return

        assert list(differences(operation.answer, body_of(operation), "")) == []

    def test_has_a_type_for_every_kind_of_problem(self) -> None:
        """Each kind of problem has an exception by its status."""
        for kind in PROBLEM_TYPES.values():
            problem = families.problem_of(
                kind.status, {"type": kind.type}, reason="", request_id="1"
            )

            assert (problem.kind, problem.status) == (kind.slug, kind.status)
            assert type(problem) is not families.SabotProblem
            assert type(problem) is not families.Refused or kind.status in (
                400,
                405,
                406,
                413,
                415,
                416,
                422,
            )

    def test_finds_a_field_that_differs(self) -> None:
        """Verifies that the comparison finds differences."""
        [read_job] = [operation for operation in OPERATIONS if operation.name == "read_job"]
        schema = openapi_document()["components"]["schemas"]["RoundLinks"]

        assert list(differences(read_job.answer, schema, ""))
        assert list(differences(str | None, {"type": "string"}, "")) == [
            ": null is none of ['string']"
        ]

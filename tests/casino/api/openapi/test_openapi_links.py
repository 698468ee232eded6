"""The links of the OpenAPI document lead to operations that accept their values (issue 8)."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from casino.api.index import openapi_document
from casino.api.links import LINKS, Link

_JSON: Final = "application/json"
_BODY: Final = "$response.body#"
_PATH: Final = "$request.path."


def calls() -> dict[str, dict[str, Any]]:
    """Every operation by its id."""
    return {
        operation["operationId"]: operation
        for methods in openapi_document()["paths"].values()
        for operation in methods.values()
    }


def parameters(name: str, place: str = "path") -> dict[str, dict[str, Any]]:
    """The schemas of an operation's parameters."""
    parameters = calls()[name].get("parameters", [])
    return {
        parameter["name"]: parameter["schema"]
        for parameter in parameters
        if parameter["in"] == place
    }


def examples(link: Link) -> Iterator[Any]:
    """The example answers of the source of a link."""
    for status in link.statuses:
        content = calls()[link.source]["responses"][status]["content"][_JSON]
        yield from (example["value"] for example in content["examples"].values())


def value_of(expression: str, answer: Any) -> Any:
    """The value of a link expression for an answer."""
    if not expression.startswith(_BODY):
        return expression
    for step in expression.removeprefix(f"{_BODY}/").split("/"):
        answer = answer[int(step) if step.isdecimal() else step]
    return answer


@pytest.mark.parametrize("link", LINKS, ids=lambda link: f"{link.source} {link.targets[0]}")
class TestALink:
    def test_passes_values_that_the_parameter_accepts(self, link: Link) -> None:
        """Values come from the example answer or from the source's path."""
        assert link.targets
        for target in link.targets:
            takes = parameters(target) | parameters(target, "query")
            for name, expression in link.parameters.items():
                if expression.startswith(_PATH):
                    assert expression.removeprefix(_PATH) in parameters(link.source)
                    continue
                answers = list(examples(link))
                assert answers
                for answer in answers:
                    Draft202012Validator(takes[name]).validate(value_of(expression, answer))

    def test_sends_a_valid_body(self, link: Link) -> None:
        """By the schema of the target operation."""
        root = openapi_document()["components"]
        for target in link.targets if link.request_body else ():
            schema = calls()[target]["requestBody"]["content"][_JSON]["schema"]
            for answer in examples(link):
                body = {
                    name: value_of(expression, answer)
                    for name, expression in (link.request_body or {}).items()
                }
                Draft202012Validator({**schema, "components": root}).validate(body)

    def test_is_in_the_description(self, link: Link) -> None:
        """Every link is declared at its answer."""
        assert link.statuses
        for status in link.statuses:
            links = calls()[link.source]["responses"][status]["links"]
            for target in link.targets:
                assert links[target]["operationId"] == target
                assert links[target]["parameters"] == link.parameters


def test_every_call_with_path_parameters_is_linked() -> None:
    """Kinds of problems are linked by their own addresses."""
    about = {name for name in calls() if parameters(name)}

    led_to = {target for link in LINKS for target in link.targets}

    assert about - led_to == {"read_problem"}

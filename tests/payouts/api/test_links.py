"""Answers say which calls they lead to, and those can be made with what they tell (issue 8)."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from payouts.api.index import described
from payouts.api.links import LEADS, Lead

_JSON: Final = "application/json"
_BODY: Final = "$response.body#"
_PATH: Final = "$request.path."


def calls() -> dict[str, dict[str, Any]]:
    """Every call by its name."""
    return {
        operation["operationId"]: operation
        for methods in described()["paths"].values()
        for operation in methods.values()
    }


def parameters(name: str, place: str = "path") -> dict[str, dict[str, Any]]:
    """The schemas of a call's parameters."""
    found = calls()[name].get("parameters", [])
    return {one["name"]: one["schema"] for one in found if one["in"] == place}


def examples(lead: Lead) -> Iterator[Any]:
    """What the answers of a lead tell, by the examples."""
    for status in lead.statuses:
        content = calls()[lead.source]["responses"][status]["content"][_JSON]
        yield from (one["value"] for one in content["examples"].values())


def value_of(expression: str, answer: Any) -> Any:  # noqa: ANN401  JSON
    """What an expression is of an answer, or a text as it is."""
    if not expression.startswith(_BODY):
        return expression
    for step in expression.removeprefix(f"{_BODY}/").split("/"):
        answer = answer[int(step) if step.isdecimal() else step]
    return answer


@pytest.mark.parametrize("lead", LEADS, ids=lambda lead: f"{lead.source} {lead.targets[0]}")
class TestALead:
    def test_asks_with_what_the_answer_tells(self, lead: Lead) -> None:
        """Each value of the example is one that the parameter takes; paths hand on their own."""
        for target in lead.targets:
            takes = parameters(target) | parameters(target, "query")
            for name, expression in lead.asked.items():
                if expression.startswith(_PATH):
                    assert expression.removeprefix(_PATH) in parameters(lead.source)
                    continue
                for answer in examples(lead):
                    Draft202012Validator(takes[name]).validate(value_of(expression, answer))

    def test_sends_a_body_that_is_taken(self, lead: Lead) -> None:
        """By the schema of the call that it leads to."""
        root = described()["components"]
        for target in lead.targets if lead.sent else ():
            schema = calls()[target]["requestBody"]["content"][_JSON]["schema"]
            for answer in examples(lead):
                said = {name: value_of(one, answer) for name, one in (lead.sent or {}).items()}
                Draft202012Validator({**schema, "components": root}).validate(said)

    def test_is_in_the_description(self, lead: Lead) -> None:
        """At each answer that it is of."""
        for status in lead.statuses:
            links = calls()[lead.source]["responses"][status]["links"]
            for target in lead.targets:
                assert links[target]["operationId"] == target
                assert links[target]["parameters"] == lead.asked


def test_every_call_about_something_is_led_to() -> None:
    """Whoever adds one says from where; kinds of problems are led to by their own addresses."""
    about = {name for name in calls() if parameters(name)}

    led_to = {target for lead in LEADS for target in lead.targets}

    assert about - led_to == {"problem"}

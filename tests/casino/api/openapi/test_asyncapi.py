"""The AsyncAPI document has the messages and schemas of the OpenAPI document.

``make check-api`` validates it with Spectral, by the schema of AsyncAPI 3.
"""

import json
import re

from jsonschema import Draft202012Validator

from casino.api.index import asyncapi_document, openapi_document
from tests.casino.api.api_client import Program, json_of


def test_is_public_and_linked_from_the_index(db: None) -> None:
    """As the JSON Schema of the feed."""
    program = Program("")
    index = json_of(program.get("/api/v1"))

    assert json_of(program.get(index["asyncapi"])) == asyncapi_document()
    assert json_of(program.get(index["feed_schema"]))["$id"] == index["feed_schema"]


def test_has_every_message_of_the_webhooks() -> None:
    """Each with the schema that OpenAPI has for its body."""
    webhooks = openapi_document()["webhooks"]
    messages = asyncapi_document()["components"]["messages"]

    bodies = {
        name: methods["post"]["requestBody"]["content"]["application/json"]["schema"]
        for name, methods in webhooks.items()
    }
    assert {name: messages[name]["payload"] for name in bodies} == bodies
    assert asyncapi_document()["channels"]["webhook"]["messages"].keys() == bodies.keys()


def test_has_every_schema_that_it_refers_to() -> None:
    """And no other."""
    whole = asyncapi_document()

    named = set(re.findall('"#/components/schemas/([^"]+)"', json.dumps(whole)))
    assert named == whole["components"]["schemas"].keys()


def test_has_examples_that_fit() -> None:
    """Payloads and headers."""
    components = asyncapi_document()["components"]
    examples = [
        (message[part], example[part])
        for message in components["messages"].values()
        for example in message["examples"]
        for part in example
    ]

    assert len(examples) > len(components["messages"])
    for schema, example in examples:
        Draft202012Validator({**schema, "components": components}).validate(example)

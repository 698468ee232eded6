"""Examples of the OpenAPI document, from ``examples.json``.

A key of the file is the name of a component, an operation (for a JSON answer without a component),
``OPERATION request`` (for a body that is not JSON), or a media type. The example of a shape that
extends another one has its own fields only.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from casino.api.client.shapes.disputes import DisputeDetails
from casino.api.client.shapes.exports import ExportDetails
from casino.api.client.shapes.rounds import RoundDetails
from casino.api.client.shapes.webhooks import WebhookWithSecret

_EXTENDED: Final[tuple[type, ...]] = (
    ExportDetails,
    WebhookWithSecret,
    DisputeDetails,
    RoundDetails,
)
"""Shapes whose example is the one of their base with further fields."""


def _read_examples() -> Mapping[str, Any]:
    text = Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
    examples: dict[str, Any] = json.loads(text)
    for shape in _EXTENDED:
        base = shape.__mro__[1].__name__
        examples[shape.__name__] = {**examples[base], **examples[shape.__name__]}
    return examples


EXAMPLES: Final = _read_examples()
_JSON: Final = "application/json"


def add_examples(operation: dict[str, Any], schemas: Mapping[str, Any]) -> None:
    """Gives every body of an operation that has no example yet its example."""
    for kind, media_type, content in _bodies(operation):
        if "examples" not in content and "schema" in content:
            name = operation["operationId"]
            keys = (name,) if media_type == _JSON else (f"{name} {kind}", media_type)
            example = next((EXAMPLES[key] for key in keys if key in EXAMPLES), None)
            value = _example(content["schema"], schemas) if example is None else example
            content["examples"] = {"example": {"value": value}}


def _bodies(operation: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
    for kind, body in bodies.items():
        for media_type, content in body.get("content", {}).items():
            yield kind, media_type, content


def _example(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """The example of a component, of a list of one, or of a page with one row."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return EXAMPLES[name] if name in EXAMPLES else _example(schemas[name], schemas)
    if schema.get("type") == "array":
        return [_example(schema["items"], schemas)]
    return {"data": [_example(schema["properties"]["data"]["items"], schemas)], "next": None}

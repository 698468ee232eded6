"""Examples of the OpenAPI document, from ``examples.json``.

The file has the bodies of each operation: ``request`` is written by hand, and
``tests/casino/api/openapi/test_recorded_examples.py`` sends it and records the answer under its
status. A key names the media type too if that is not JSON. ``make examples`` records them again.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

FILE: Final = Path(__file__).with_suffix(".json")
EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
"""By operation."""
FILES: Final[Mapping[str, Any]] = {
    "application/octet-stream": "day;game;…",
    "application/pdf": "%PDF-1.7 …",
    "application/pkcs7-signature": "…",
    "application/zip": "PK…",
    "image/jpeg": "…",
    "image/png": "…",
    "multipart/form-data": {"file": "%PDF-1.7 …"},
    "text/html": "<!doctype html>…",
}
"""Bodies that are no text."""
_JSON: Final = "application/json"


def key_of(kind: str, media_type: str) -> str:
    """The key of a body in the file; ``kind`` is ``request`` or a status."""
    return kind if media_type == _JSON else f"{kind} {media_type}"


def idempotency_key_of(operation: str) -> str:
    """The Idempotency-Key of an operation's example."""
    return str(uuid5(NAMESPACE_URL, f"/api/v1/{operation}"))


def add_examples(operation: dict[str, Any]) -> None:
    """Gives every body of an operation that has no example yet its example."""
    name = operation["operationId"]
    for parameter in operation.get("parameters", ()):
        if parameter["name"] == "Idempotency-Key":
            parameter["example"] = idempotency_key_of(name)
    for kind, media_type, content in _bodies(operation):
        recorded = EXAMPLES.get(name, {})
        key = key_of(kind, media_type)
        if "examples" not in content and (key in recorded or media_type in FILES):
            value = recorded[key] if key in recorded else FILES[media_type]
            content["examples"] = {"example": {"value": value}}


def _bodies(operation: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
    for kind, body in bodies.items():
        for media_type, content in body.get("content", {}).items():
            yield kind, media_type, content

"""Hooks for schemathesis, which loads this module: NDJSON, files, and valid rounds."""

import json
import os
from hashlib import sha256
from itertools import count
from typing import Any, Final
from urllib.parse import urlencode

import schemathesis
from jsonschema import Draft202012Validator

from casino.api.links import LINKS
from casino.api.openapi.examples import EXAMPLES
from casino.api.openapi.operations import IDEMPOTENCY_KEY

DOCUMENT: Final = EXAMPLES["deliver_rounds"]["request"]
_DELIVERY: Final = "POST /api/v1/rounds"
_REMOVABLE: Final = ("POST /api/v1/webhooks", "POST /api/v1/customer-tokens")
_KEY: Final = Draft202012Validator(IDEMPOTENCY_KEY)
_LONGEST_QUERY: Final = 3_500
"""gunicorn refuses request lines over 4,094 characters before Sabot reads them."""

_numbers: Final = count(1)
_fitting: list[Draft202012Validator] = []
"""Whether a document fits: one that does not has to stay as it is, to be refused."""


@schemathesis.serializer("application/x-ndjson")
def written(_context: Any, value: Any) -> bytes:
    """A text as it is, other values as a line of JSON."""
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


@schemathesis.deserializer("application/x-ndjson")
def read(_context: Any, response: Any) -> str:
    """The documents of the lines."""
    return str(response.text)


@schemathesis.serializer("application/pdf", "image/png", "image/jpeg")
def sent(_context: Any, value: Any) -> bytes:
    """A file as it is, other values as JSON."""
    content = getattr(value, "data", value)  # theirs wraps bytes
    return content if isinstance(content, bytes) else str(content).encode()


@schemathesis.hook
def before_load_schema(_context: Any, document: dict[str, Any]) -> None:
    """Gives links their bodies, which generators of clients reject in a description.

    Allows any value as a line, since other values are sent as text as well.
    """
    body = document["paths"]["/api/v1/rounds"]["post"]["requestBody"]["content"]
    body["application/x-ndjson"]["schema"] = {}
    _fitting.append(
        Draft202012Validator(
            {**body["application/json"]["schema"], "components": document["components"]}
        )
    )
    calls = {
        operation["operationId"]: operation
        for of in document["paths"].values()
        for operation in of.values()
    }
    for link in (link for link in LINKS if link.request_body):
        for status in link.statuses:
            for target in link.targets:
                target_link = calls[link.source]["responses"][status]["links"][target]
                target_link["requestBody"] = dict(link.request_body or {})


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """Replaces every second valid document by an acceptable one with a new id.

    The description states the form of each field; only the rules state whether a round is legal.
    """
    is_delivery = context.operation.label == _DELIVERY and isinstance(body, dict)
    if not is_delivery or body.get("feed") != DOCUMENT["feed"] or not _fitting[-1].is_valid(body):
        return body
    digest = sha256(json.dumps(body, default=str).encode()).hexdigest()
    return body if digest[0] in "01234567" else {**DOCUMENT, "round": f"bac-1-{digest[:12]}"}


@schemathesis.hook
def map_headers(context: Any, headers: Any) -> Any:
    """Creates what can be removed under a key of its own; an invalid key stays.

    Otherwise a repeated call replays its first answer, and what it names may be gone; also one of
    an earlier run on the same server.
    """
    is_creation = context.operation.label in _REMOVABLE and headers
    if not is_creation or not _KEY.is_valid(headers.get("Idempotency-Key")):
        return headers
    return {**headers, "Idempotency-Key": f"case-{os.getpid()}-{next(_numbers)}"}


@schemathesis.hook
def filter_query(_context: Any, query: Any) -> bool:
    """Leaves out what the web server refuses as too long."""
    return not query or len(urlencode(query, doseq=True, errors="replace")) < _LONGEST_QUERY

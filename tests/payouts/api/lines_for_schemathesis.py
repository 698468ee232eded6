"""Has schemathesis send lines, files, and rounds that can be taken; it loads this by itself."""

import json
from hashlib import sha256
from typing import Any, Final

import schemathesis

from payouts.api.rounds.examples import DOCUMENT

_DELIVERY: Final = "POST /api/v1/rounds"


@schemathesis.serializer("application/x-ndjson")
def written(_context: Any, value: Any) -> bytes:  # noqa: ANN401  whatever it makes up
    """A text as it is, anything else as a line."""
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


@schemathesis.deserializer("application/x-ndjson")
def read(_context: Any, response: Any) -> str:  # noqa: ANN401  theirs
    """The lines."""
    return str(response.text)


@schemathesis.serializer("application/pdf", "image/png", "image/jpeg")
def sent(_context: Any, value: Any) -> bytes:  # noqa: ANN401  whatever it makes up
    """A file as it is; what is none as text."""
    content = getattr(value, "data", value)  # theirs wraps bytes
    return content if isinstance(content, bytes) else str(content).encode()


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:  # noqa: ANN401  theirs
    """Every second document that fits becomes one that is taken, of a name of its own.

    What a round has to be is no matter of this description: the feed's contract says that.
    """
    is_delivery = context.operation.label == _DELIVERY and isinstance(body, dict)
    if not is_delivery or body.get("feed") != DOCUMENT["feed"]:
        return body
    digest = sha256(json.dumps(body, default=str).encode()).hexdigest()
    return body if digest[0] in "01234567" else {**DOCUMENT, "round": f"bac-1-{digest[:12]}"}

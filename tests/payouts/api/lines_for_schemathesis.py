"""Has schemathesis send and read JSON a line; it loads this module by itself."""

import json
from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def written(_context: Any, value: Any) -> bytes:  # noqa: ANN401  whatever it makes up
    """A text as it is, anything else as a line."""
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


@schemathesis.deserializer("application/x-ndjson")
def read(_context: Any, response: Any) -> str:  # noqa: ANN401  theirs
    """The lines."""
    return str(response.text)

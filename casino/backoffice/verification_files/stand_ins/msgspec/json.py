"""JSON by the standard library."""

import json
from typing import Any

from msgspec import MsgspecError


class Encoder:
    """Without white space, in UTF-8."""

    def encode(self, value: Any) -> bytes:
        """The JSON of a value."""
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


class Decoder:
    """Reads no document, so that the careful reader does."""

    def __init__(self, _type: Any) -> None:
        pass

    def decode(self, _line: bytes) -> Any:
        """Always refuses."""
        raise MsgspecError

"""NDJSON: one JSON document per line."""

from typing import Any, Final

from rest_framework.parsers import BaseParser

from casino.api.rendering import JsonRenderer

NDJSON: Final = "application/x-ndjson"


class NdjsonParser(BaseParser):
    """Accepts the media type; the view reads the stream."""

    media_type = NDJSON

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        """The stream itself."""
        return stream


class NdjsonRenderer(JsonRenderer):
    """Accepts NDJSON; a single object is one line."""

    media_type = NDJSON
    format = "ndjson"

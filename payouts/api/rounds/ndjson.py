"""JSON a line: what streams of documents and of answers are written in."""

from typing import Any, Final

from rest_framework.parsers import BaseParser

from payouts.api.rendering import JsonRenderer

NDJSON: Final = "application/x-ndjson"


class NdjsonParser(BaseParser):
    """Names the media type; a stream is read by who takes it."""

    media_type = NDJSON

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:  # noqa: ANN401, ARG002  the framework's
        """The stream itself."""
        return stream


class NdjsonRenderer(JsonRenderer):
    """Lets programs ask for lines; whatever is a single object is one."""

    media_type = NDJSON
    format = "ndjson"

"""JSON of the answers: dataclasses of ``client/shapes``, written as they are declared."""

from datetime import datetime
from typing import Any, Final

import orjson
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

from casino.integrations.events.representation import rfc3339

_OPTIONS: Final = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_NON_STR_KEYS
_encode_other: Final = JSONEncoder().default


def encode_json(data: Any) -> bytes:
    """The JSON of an answer; every time is in UTC, to the millisecond."""
    return orjson.dumps(data, default=_default, option=_OPTIONS)


def _default(value: Any) -> Any:
    return rfc3339(value) if isinstance(value, datetime) else _encode_other(value)


class JsonRenderer(JSONRenderer):
    """Renders by ``encode_json``; `Accept: …; indent=4` is ignored."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Any = None,
    ) -> bytes:
        """The body; empty for None."""
        if data is None:
            return b""
        try:
            return encode_json(data)
        except orjson.JSONEncodeError:  # integers of more than 64 bits
            return bytes(super().render(data, accepted_media_type, renderer_context))

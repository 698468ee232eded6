"""Answers as JSON."""

from typing import Any, Final

import orjson
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

_OTHERS: Final = JSONEncoder().default
"""What JSON has no word for, as the framework says it: lazy texts, times, ids."""
_AS_THE_FRAMEWORK: Final = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_NON_STR_KEYS


class JsonRenderer(JSONRenderer):
    """The framework's JSON, written ten times as fast; `Accept: …; indent=4` is not followed."""

    def render(
        self,
        data: Any,  # noqa: ANN401  whatever a view answers
        accepted_media_type: str | None = None,
        renderer_context: Any = None,  # noqa: ANN401  the framework's
    ) -> bytes:
        """The octets of the answer; none of nothing."""
        if data is None:
            return b""
        try:
            return orjson.dumps(data, default=_OTHERS, option=_AS_THE_FRAMEWORK)
        except orjson.JSONEncodeError:  # numbers of more than 64 bits, which somebody sent us
            return bytes(super().render(data, accepted_media_type, renderer_context))

"""Log lines as JSON objects, with the ids of the request or task in which they were written.

The context says where a line belongs, never whom it concerns: no names, no customers, and of an
address its route only. ``LOG_FORMAT=json`` switches it on.
"""

import logging
import re
from collections.abc import MutableMapping
from typing import Any, Final

from opentelemetry import trace
from structlog import contextvars, processors, stdlib

HIDDEN_PATH: Final = "_path"
"""The member of the context that has the path of the request, which no line shows."""

_Line = MutableMapping[str, Any]
_DETAIL: Final = re.compile(r"^(DETAIL|CONTEXT):.*$", re.MULTILINE)
"""PostgreSQL's description of a refused row, which has its values."""
_SHORT: Final = 2
"""A path of so few letters names nobody, and would be in any text."""


def formatter() -> logging.Formatter:
    """A formatter that writes a JSON object for each record, on one line."""
    return stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            contextvars.merge_contextvars,
            _trace,
            stdlib.add_logger_name,
            stdlib.add_log_level,
            processors.TimeStamper(fmt="iso", utc=True),
            processors.format_exc_info,
            _hide,
        ],
        processors=[
            stdlib.ProcessorFormatter.remove_processors_meta,
            processors.JSONRenderer(ensure_ascii=False),
        ],
    )


def _trace(_logger: object, _method: str, line: _Line) -> _Line:
    span = trace.get_current_span().get_span_context()
    if span.is_valid:
        line["trace_id"] = trace.format_trace_id(span.trace_id)
    return line


def _hide(_logger: object, _method: str, line: _Line) -> _Line:
    path = line.pop(HIDDEN_PATH, "").strip("/")  # Django names it with and without the first
    for member in ("event", "exception"):
        text = line.get(member)
        if isinstance(text, str):
            shown = text.replace(path, line.get("route", "…")) if path[_SHORT:] else text
            line[member] = _DETAIL.sub(r"\1: not logged", shown)
    return line

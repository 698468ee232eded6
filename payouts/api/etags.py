"""Entity tags: of what an answer depends on, compared with those that a program knows."""

import hashlib
import json
from typing import Any

from django.utils.http import parse_etags
from rest_framework.request import Request


def etag_of(content: Any) -> str:  # noqa: ANN401  JSON
    """The tag of this content; other content has another."""
    return f'"{hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]}"'


def kept(etag: str) -> dict[str, str]:
    """May be kept by whoever asked, and is asked for again each time."""
    return {"ETag": etag, "Cache-Control": "private, no-cache"}


def is_known(request: Request, etag: str) -> bool:
    """Whether the program has it already (If-None-Match)."""
    return _names(request.headers.get("If-None-Match", ""), etag)


def is_other(request: Request, etag: str) -> bool:
    """Whether the program acts upon something else (If-Match); one that names nothing does not.

    A tag that a proxy made weak, because it packed the answer, is still the tag of this content.
    """
    asked = request.headers.get("If-Match")
    return asked is not None and not _names(asked, etag)


def _names(header: str, etag: str) -> bool:
    known = parse_etags(header)
    return "*" in known or etag in (one.removeprefix("W/") for one in known)

"""Entity tags and conditional requests (RFC 9110, 13)."""

import hashlib
from typing import Any

from django.utils.http import parse_etags
from rest_framework.request import Request

from casino.api.rendering import encode_json


def etag_of(content: Any) -> str:
    """The entity tag of JSON content."""
    return f'"{hashlib.sha256(encode_json(content)).hexdigest()[:32]}"'


def cache_headers(etag: str) -> dict[str, str]:
    """Headers of an answer that a client may store but must revalidate each time."""
    return {"ETag": etag, "Cache-Control": "private, no-cache"}


def is_not_modified(request: Request, etag: str) -> bool:
    """Whether If-None-Match names this tag."""
    return _matches(request.headers.get("If-None-Match", ""), etag)


def is_precondition_failed(request: Request, etag: str) -> bool:
    """Whether If-Match is present and does not name this tag.

    A weak tag matches: proxies weaken the tag of an answer that they compress.
    """
    header = request.headers.get("If-Match")
    return header is not None and not _matches(header, etag)


def _matches(header: str, etag: str) -> bool:
    tags = parse_etags(header)
    return "*" in tags or etag in (tag.removeprefix("W/") for tag in tags)

"""The response headers of the OpenAPI document: a component for each, and the answers that have it.

Described are the headers that a client acts on. Those of any HTTP answer (Content-Type,
Cache-Control, Vary, Content-Disposition and the like) are left out.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from casino.integrations.rate_limit import WINDOW_SECONDS

_TEXT: Final = {"type": "string"}
_SECONDS: Final = {"type": "integer", "minimum": 0}


def _header(description: str, example: Any, schema: Mapping[str, Any] = _TEXT) -> dict[str, Any]:
    return {"description": description, "schema": schema, "example": example}


HEADERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "Accept-Ranges": _header("`Range` resumes the download", "bytes"),
    "Content-Range": _header(
        "The range that is sent, and the length of the file", "bytes 0-99/412"
    ),
    "ETag": _header(
        "The version of the content, for `If-None-Match`, `If-Match` or `If-Range`",
        '"0d4c1f8f4d1152a54d0e9a3e2f0a3c6e"',
    ),
    "Idempotent-Replayed": _header(
        "Present if this is the stored answer of an earlier call with the same Idempotency-Key",
        "true",
        {**_TEXT, "enum": ["true"]},
    ),
    "Location": _header(
        "The address of the resource",
        "/api/v1/disputes/D-0001",
        {**_TEXT, "format": "uri-reference"},
    ),
    "Preference-Applied": _header("The preference of `Prefer` that was followed", "respond-async"),
    "RateLimit": _header(
        "`r`: the calls that may be made now; `t`: seconds until all of a minute may be",
        '"key";r=599;t=1',
    ),
    "RateLimit-Policy": _header(
        "`q`: the calls that may be made in `w` seconds", f'"key";q=600;w={WINDOW_SECONDS}'
    ),
    "Request-Id": {
        **_header(
            "The call, as in the audit trail and in `instance` of a problem",
            "2f0a3c6e-52a5-4d0e-9a3e-0d4c1f8f4d11",
            {**_TEXT, "format": "uuid"},
        ),
        "required": True,
    },
    "Retry-After": _header("Seconds until the call may be repeated", 1, _SECONDS),
    "WWW-Authenticate": _header("How to authenticate", "Bearer"),
}
_BY_STATUS: Final[Mapping[str, Sequence[int]]] = {
    "Content-Range": (206, 416),
    "Accept-Ranges": (206,),
    "Retry-After": (409, 429, 503),
    "WWW-Authenticate": (401,),
}
_BY_OPERATION: Final[Mapping[str, Mapping[str, Sequence[int]]]] = {
    "Accept-Ranges": {"download_export": (200,)},
    "ETag": {
        "answer_dispute": (201,),
        "download_export": (200, 206, 304),
        "download_export_file": (200, 304),
        "escalate_dispute": (201,),
        "open_dispute": (201,),
        "read_dispute": (200, 304),
        "read_round": (200, 304),
    },
    "Idempotent-Replayed": {"deliver_rounds": (409, 422)},
    "Location": {
        "add_evidence": (201,),
        "add_webhook": (201,),
        "answer_dispute": (201,),
        "issue_dossier": (200, 202),
        "deliver_rounds": (200, 201, 202),
        "escalate_dispute": (201,),
        "open_dispute": (201,),
        "propose_decision": (201,),
    },
    "Preference-Applied": {"deliver_rounds": (202,)},
    "Retry-After": {"issue_dossier": (200, 202), "read_dossier": (200,)},
}
_NOT_COUNTED: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_ACCEPTABLE)
"""Answered before the rate limit counts the call."""


def add_headers(operation: dict[str, Any], *, method: str) -> None:
    """Refers to the headers of each answer of an operation."""
    for status, answer in operation["responses"].items():
        names = _names(operation, method, int(status))
        answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _names(operation: Mapping[str, Any], method: str, status: int) -> list[str]:
    of_every_answer = {"Request-Id"}
    if operation["security"] and status not in _NOT_COUNTED:
        of_every_answer |= {"RateLimit", "RateLimit-Policy"}
    if method == "post" and status < HTTPStatus.BAD_REQUEST:
        of_every_answer.add("Idempotent-Replayed")
    name = operation["operationId"]
    return [
        header
        for header in HEADERS
        if header in of_every_answer
        or status in _BY_STATUS.get(header, ())
        or status in _BY_OPERATION.get(header, {}).get(name, ())
    ]

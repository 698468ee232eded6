"""A studio that delivers rounds, for tests."""

import json
from typing import Any, Final

from django.http import HttpResponse

from tests.casino.api.api_client import Program, issued

ROUNDS: Final = "/api/v1/rounds"
NDJSON: Final = "application/x-ndjson"


def studio(**key_fields: Any) -> Program:
    """A studio's program, with every scope by default."""
    return Program(issued(**key_fields).token)


def delivered(program: Program, *documents: object, **headers: str) -> HttpResponse:
    """Sends a stream of documents; texts and bytes are sent as they are."""
    body = b"".join(_line(document) + b"\n" for document in documents)
    return whole(program.call("POST", ROUNDS, body, Content_Type=NDJSON, **headers))


def whole(answer: Any) -> HttpResponse:
    """The body of a possibly streamed answer."""
    if not answer.streaming:
        return answer  # type: ignore[no-any-return]
    return HttpResponse(answer.getvalue(), status=answer.status_code, headers=answer.headers)


def answers(answer: HttpResponse) -> list[dict[str, Any]]:
    """The lines of an answer."""
    assert answer.status_code == 200, answer.content
    return [json.loads(line) for line in answer.content.splitlines()]


def _line(document: object) -> bytes:
    if isinstance(document, bytes):
        return document
    return (document if isinstance(document, str) else json.dumps(document)).encode()

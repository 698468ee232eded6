"""Sends the described operations and keeps their answers, for the examples of the description."""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final
from uuid import uuid4

from django.http import HttpResponse

from casino.api.index import openapi_document
from casino.api.openapi.examples import EXAMPLES, key_of
from casino.integrations.webhook_signing import EXAMPLE as SECRET
from tests.casino.api.api_client import Program
from tests.casino.api.studio import NDJSON, whole

JSON: Final = "application/json"
_TEXTS: Final = (JSON, NDJSON)
_OF_EVERY_ANSWER: Final = {
    *("Cache-Control", "Content-Disposition", "Content-Language", "Content-Length"),
    *("Content-Security-Policy", "Content-Type", "Cross-Origin-Opener-Policy", "Last-Modified"),
    *("Permissions-Policy", "Referrer-Policy", "Vary", "X-Content-Type-Options"),
    *("X-Frame-Options", "Date", "Cross-Origin-Resource-Policy"),
}
"""Headers that HTTP and browsers define for any answer; the description leaves them out."""
_ABRIDGED: Final = {
    *(
        "read_asyncapi",
        "download_certificate_file",
        "download_dossier_file",
        "read_feed_schema",
        "read_schema",
    ),
}
"""Documents of many pages, of which only the plain values are kept."""
_REDACTED: Final = (
    (re.compile(r"sabot_live_\w+"), f"sabot_live_{'x' * 12}_{'x' * 43}"),
    (re.compile(r'(?<="id": ")[A-Za-z0-9]{12}(?=", "token":)'), "x" * 12),
    (re.compile(r'(?<="handle": ")[A-Za-z0-9]{12}'), "x" * 12),
    (re.compile(r"whsec_[\w+/=]+"), SECRET),
    (re.compile(r"(-----BEGIN [A-Z ]+-----\\n)[^-]+"), r"\1…\\n"),
    (re.compile(r"\(key \w{12}\)"), f"(key {'x' * 12})"),
)
"""Secrets, though of a casino that is gone: programs search repositories for them."""


def operations() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Every operation by its id: method, path and description."""
    return {
        operation["operationId"]: (method.upper(), path, operation)
        for path, methods in openapi_document()["paths"].items()
        for method, operation in methods.items()
    }


def sent_headers(answer: HttpResponse) -> set[str]:
    """The headers of an answer that the description has to have."""
    return set(answer.headers) - _OF_EVERY_ANSWER


class Recorder:
    """Sends operations by name, and keeps the examples and the headers of their answers."""

    def __init__(self, program: Program) -> None:
        self._program, self._operations = program, operations()
        self.examples: dict[str, dict[str, Any]] = defaultdict(dict)
        self.etag = ""
        """The tag of the last answer."""
        self.headers: dict[tuple[str, str], set[str]] = defaultdict(set)

    def send(
        self,
        name: str,
        status: int,
        *,
        media_type: str = JSON,
        body: bytes | None = None,
        query: str = "",
        headers: Mapping[str, str] | None = None,
        **places: object,
    ) -> Any:
        """Sends an operation, which must be answered with this status; returns a JSON body.

        The body is the example of the file unless one is given. A POST is sent twice: the second
        answer has to be the first one.
        """
        method, path, operation = self._operations[name]
        if body is None:
            body = self._example_of(name, media_type)
        address, once = path.format(**places) + query, str(uuid4())
        others = {"Content_Type": media_type, **(headers or {})}
        answer = whole(
            self._program.call(
                method, address, body, once=once if method == "POST" else None, **others
            )
        )
        assert answer.status_code == status, (name, answer.status_code, answer.content)
        self.headers[name, str(status)] |= sent_headers(answer)
        self.etag = answer.headers.get("ETag", "")
        is_stored = method == "POST" and not (media_type == NDJSON and status == 200)
        if is_stored:
            again = self._program.call(method, address, body, once=once, **others)
            assert (again.content, again.headers["Idempotent-Replayed"]) == (answer.content, "true")
        return self._kept(name, answer, operation)

    def _example_of(self, name: str, media_type: str) -> bytes:
        key = key_of("request", media_type)
        if key not in EXAMPLES.get(name, {}):
            return b""
        value = self.examples[name][key] = EXAMPLES[name][key]
        return value.encode() if isinstance(value, str) else json.dumps(value).encode()

    def _kept(self, name: str, answer: HttpResponse, operation: Mapping[str, Any]) -> Any:
        media_type = answer.headers.get("Content-Type", "").partition(";")[0]
        declared = operation["responses"][str(answer.status_code)].get("content", {})
        assert (media_type in declared) == bool(answer.content), (name, media_type)
        if media_type not in _TEXTS:
            return None
        text = answer.content.decode()
        value = json.loads(text) if media_type == JSON else text
        key = key_of(str(answer.status_code), media_type)
        self.examples[name][key] = _redacted(_abridged(name, value))
        return value


def text_of(examples: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of ``examples.json``: a line for each body."""
    parts = [
        f" {json.dumps(name)}: {{\n"
        + ",\n".join(
            f"  {json.dumps(key)}: {json.dumps(bodies[key], ensure_ascii=False)}"
            for key in sorted(bodies, reverse=True)
        )
        + "\n }"
        for name, bodies in sorted(examples.items())
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _abridged(name: str, value: Any) -> Any:
    if name == "list_problems":
        return {**value, "data": value["data"][:1]}
    if name == "read_export":
        return {**value, "files": value["files"][:1]}
    if name in _ABRIDGED:
        plain = {key: part for key, part in value.items() if not isinstance(part, dict | list)}
        plain.pop("$ref", None)  # tools follow it in examples too
        return plain
    return value


def _redacted(value: Any) -> Any:
    text = json.dumps(value, ensure_ascii=False)
    for pattern, replacement in _REDACTED:
        text = pattern.sub(replacement, text)
    return json.loads(text)

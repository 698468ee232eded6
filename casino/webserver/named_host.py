"""Requests of HTTP/1.1 that name no host are refused before the application sees them.

RFC 9112, 3.2: such a request, and one with several Host fields, is answered 400. gunicorn refuses
the second kind itself and takes the first for one to the address on which it listens, which
``ALLOWED_HOSTS`` may contain.
"""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, Final

_Application = Callable[..., Iterable[bytes]]

_NAMED_SINCE: Final = "HTTP/1.1"
_TEXT: Final = b"Host: found none; needed one, as HTTP/1.1 has it (RFC 9112, 3.2)\n"
_STATUS: Final = f"{HTTPStatus.BAD_REQUEST.value} {HTTPStatus.BAD_REQUEST.phrase}"
_HEADERS: Final = (
    ("Content-Type", "text/plain; charset=utf-8"),
    ("Content-Length", str(len(_TEXT))),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
)


def refusing_nameless_requests(application: _Application) -> _Application:
    """Wraps the application; the connection of a refused request ends."""

    def answering(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if "HTTP_HOST" in environ or environ["SERVER_PROTOCOL"] < _NAMED_SINCE:
            return application(environ, start_response)
        start_response.__self__.force_close()
        start_response(_STATUS, list(_HEADERS))
        return [_TEXT]

    return answering

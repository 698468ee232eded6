"""Exceptions of the client."""

from collections.abc import Mapping
from typing import Any, Final

from .shapes.about import FieldError

NO_TYPE: Final = "about:blank"
"""The type of an error without a problem document, such as a proxy's (RFC 9457, 4.2.1)."""


class SabotError(Exception):
    """Base class of all exceptions of a call."""


class NoAnswer(SabotError):
    """No attempt got an answer; the call may or may not have been executed.

    Repeating it with the same Idempotency-Key executes it at most once.
    """


class Unreadable(SabotError):
    """An answer that does not fit the OpenAPI document."""

    def __init__(self, place: str, found: object, needed: str) -> None:
        self.place = place
        super().__init__(f"{place or 'the answer'} is {str(found)[:200]!r}, needed is {needed}")


class NotFromSabot(SabotError):
    """A webhook message without a valid signature."""


class SabotProblem(SabotError):
    """A problem document (RFC 9457).

    Each subclass stands for a group of statuses; ``kind`` is the slug of the problem type, as
    ``/api/v1/problems`` lists them.
    """

    def __init__(self, status: int, document: Mapping[str, Any], *, request_id: str) -> None:
        self.status, self.document, self.request_id = status, document, request_id
        self.kind = str(document.get("type", NO_TYPE)).rpartition("/")[2]
        self.title = str(document.get("title", ""))
        self.detail = str(document.get("detail", ""))
        self.instance = str(document.get("instance", ""))
        self.errors = tuple(_error(entry) for entry in document.get("errors", ()))
        super().__init__(str(self))

    def __str__(self) -> str:
        """The problem in one line, with its field errors."""
        errors = "; ".join(f"{e.field}: {e.found!r}, {e.needed}" for e in self.errors)
        message = ": ".join(text for text in (self.title, errors or self.detail) if text)
        return (
            f"{self.status} {self.kind} ({message}), call {self.request_id or 'without a number'}"
        )


class NotAllowed(SabotProblem):
    """401 and 403: the key is missing, unknown, expired or revoked, or lacks a scope."""


class NotFound(SabotProblem):
    """404: it does not exist, or the key may not read it."""


class Conflict(SabotProblem):
    """409 and 412: the call conflicts with the current state."""


class Refused(SabotProblem):
    """400, 422 and all other 4xx: the call is invalid."""


class TooManyCalls(SabotProblem):
    """429: the rate limit is exhausted, also after the retries."""


class SabotFailed(SabotProblem):
    """5xx: Sabot or a proxy failed."""


_FAMILIES: Final[Mapping[int, type[SabotProblem]]] = {
    401: NotAllowed,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    412: Conflict,
    429: TooManyCalls,
}
_SERVER_ERROR: Final = 500


def problem_of(status: int, document: object, *, reason: str, request_id: str) -> SabotProblem:
    """The exception of an error response; ``document`` is None without a problem document."""
    family = _FAMILIES.get(status, SabotFailed if status >= _SERVER_ERROR else Refused)
    content = document if isinstance(document, dict) else {"title": reason}
    return family(status, content, request_id=request_id)


def _error(entry: Mapping[str, Any]) -> FieldError:
    field, needed = str(entry.get("field", "")), str(entry.get("needed", ""))
    return FieldError(field=field, found=entry.get("found"), needed=needed)

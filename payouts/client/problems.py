"""What a call can end in other than its answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

UNTOLD: Final = "about:blank"
"""The kind of a refusal that is no problem document, such as a proxy's (RFC 9457, 4.2.1)."""


@dataclass(frozen=True, kw_only=True)
class FieldError:
    """What is wrong in one place.

    That is a JSON pointer into the body, or ``header:NAME``, ``query:NAME``, ``path:NAME``.
    """

    field: str
    found: Any
    needed: str


class SabotError(Exception):
    """Whatever this client raises because of a call."""


class NoAnswer(SabotError):
    """No answer came, however often the call was sent; nobody knows whether it was carried out.

    Sent again under the same Idempotency-Key it is carried out once, whatever has become of it.
    """


class Unreadable(SabotError):
    """An answer that is not what the API describes."""

    def __init__(self, place: str, found: object, needed: str) -> None:
        self.place = place
        super().__init__(f"{place or 'the answer'} is {str(found)[:200]!r}, needed is {needed}")


class NotFromSabot(SabotError):
    """A message that claims to come from Sabot and does not prove it."""


class SabotProblem(SabotError):
    """A call that was refused, with the problem document (RFC 9457) that says why.

    Each family of problems has a type of its own below, by the status; ``kind`` tells the very
    problem, as ``/api/v1/problems`` lists them.
    """

    def __init__(self, status: int, document: Mapping[str, Any], *, request_id: str) -> None:
        self.status, self.document, self.request_id = status, document, request_id
        self.kind = str(document.get("type", UNTOLD)).rpartition("/")[2]
        self.title = str(document.get("title", ""))
        self.detail = str(document.get("detail", ""))
        self.instance = str(document.get("instance", ""))
        self.errors = tuple(_error(one) for one in document.get("errors", ()))
        super().__init__(str(self))

    def __str__(self) -> str:
        """The problem in a line, with what was wrong where."""
        wrong = "; ".join(f"{one.field}: {one.found!r}, {one.needed}" for one in self.errors)
        said = ": ".join(text for text in (self.title, wrong or self.detail) if text)
        return f"{self.status} {self.kind} ({said}), call {self.request_id or 'without a number'}"


class NotAllowed(SabotProblem):
    """401 and 403: the key is missing, unknown or over, or may not do this."""


class NotFound(SabotProblem):
    """404: there is nothing, or nothing that the key may see."""


class Conflict(SabotProblem):
    """409 and 412: what is there stands against it."""


class Refused(SabotProblem):
    """400, 422 and all others of 4xx: the call itself has to be another one."""


class TooManyCalls(SabotProblem):
    """429: the key has no calls left, and waiting for them took too long."""


class SabotFailed(SabotProblem):
    """5xx: Sabot, or what stands before it, failed."""


_FAMILIES: Final[Mapping[int, type[SabotProblem]]] = {
    401: NotAllowed,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    412: Conflict,
    429: TooManyCalls,
}
_SERVERS_OWN: Final = 500


def problem_of(status: int, document: object, *, reason: str, request_id: str) -> SabotProblem:
    """The exception for a refusal; ``document`` is None where it was told in another form."""
    family = _FAMILIES.get(status, SabotFailed if status >= _SERVERS_OWN else Refused)
    told = document if isinstance(document, dict) else {"title": reason}
    return family(status, told, request_id=request_id)


def _error(told: Mapping[str, Any]) -> FieldError:
    place, needed = str(told.get("field", "")), str(told.get("needed", ""))
    return FieldError(field=place, found=told.get("found"), needed=needed)

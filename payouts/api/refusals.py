"""Whatever was raised during a call, as the problem that the caller is told."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request

from payouts.api import problems
from payouts.api.problems import FieldError, Problem, ProblemKind
from payouts.api.services.give_once import AskedOtherwise, StillCarriedOut
from rounds.services.table_fields import NotTaken

_RETRY_SECONDS: Final = 1


def problem_of(error: Exception, request: Request) -> Problem | None:
    """The problem that an exception is; None for one that nobody expected."""
    if isinstance(error, Problem):
        return error
    for kind, worded in _WORDED.items():
        if isinstance(error, kind):
            return worded(error, request)
    found = next((of for kind, of in _PLAIN.items() if isinstance(error, kind)), None)
    return Problem(found) if found else None


def taken_amiss(refusal: NotTaken) -> Problem:
    """What a service does not take, of a field of the body that has the same name."""
    error = FieldError(f"/{refusal.field}", refusal.found, refusal.needed)
    return Problem(problems.REFUSED, errors=[error])


def _of_header(of: ProblemKind, field: str, found: str | None, needed: str) -> Problem:
    return Problem(of, errors=[FieldError(field, found, needed)])


def _not_read(error: exceptions.ParseError, _request: Request) -> Problem:
    return Problem(problems.MALFORMED, str(error.detail))


def _not_taken(error: exceptions.ValidationError, request: Request) -> Problem:
    return Problem(problems.REFUSED, errors=_fields(error.detail, request.data, ""))


def _not_allowed(_error: exceptions.MethodNotAllowed, request: Request) -> Problem:
    needed = _("one of those that the header Allow names")
    return _of_header(problems.METHOD_NOT_ALLOWED, "method", request.method, needed)


def _not_supported(_error: exceptions.UnsupportedMediaType, request: Request) -> Problem:
    parsers = ", ".join(parser.media_type for parser in request.parsers or ())
    found = request.content_type
    return _of_header(problems.UNSUPPORTED, "header:Content-Type", found, parsers)


def _asked_otherwise(error: AskedOtherwise, _request: Request) -> Problem:
    needed = _("a key that was not used, or the call that it was used for")
    field = "header:Idempotency-Key"
    return _of_header(problems.REUSED_IDEMPOTENCY_KEY, field, str(error), needed)


def _still_carried_out(_error: StillCarriedOut, _request: Request) -> Problem:
    return Problem(problems.CONFLICT, headers={"Retry-After": str(_RETRY_SECONDS)})


def _fields(detail: Any, data: Any, pointer: str) -> Iterator[FieldError]:  # noqa: ANN401  JSON
    """Every message of a serializer, with the place that it is about."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            if name == "non_field_errors":
                yield from _fields(inner, data, pointer)
            else:
                yield from _fields(inner, _inside(data, name), f"{pointer}/{_escaped(str(name))}")
    elif isinstance(detail, Sequence) and not isinstance(detail, str):
        for number, inner in enumerate(detail):
            if isinstance(inner, Mapping):
                yield from _fields(inner, _inside(data, number), f"{pointer}/{number}")
            else:
                yield from _fields(inner, data, pointer)
    else:
        yield FieldError(pointer, data, str(detail))


def _inside(data: Any, name: str | int) -> Any:  # noqa: ANN401  JSON
    try:
        return data[name]
    except (LookupError, TypeError):
        return None


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


_WORDED: Final[dict[type[Exception], Callable[[Any, Request], Problem]]] = {
    exceptions.ParseError: _not_read,
    exceptions.ValidationError: _not_taken,
    NotTaken: lambda error, _request: taken_amiss(error),
    exceptions.MethodNotAllowed: _not_allowed,
    exceptions.UnsupportedMediaType: _not_supported,
    AskedOtherwise: _asked_otherwise,
    StillCarriedOut: _still_carried_out,
}
_PLAIN: Final[dict[type[Exception], ProblemKind]] = {
    exceptions.NotFound: problems.NOT_FOUND,
    Http404: problems.NOT_FOUND,
    exceptions.NotAcceptable: problems.NOT_ACCEPTABLE,
    exceptions.PermissionDenied: problems.SCOPE_MISSING,
    PermissionDenied: problems.SCOPE_MISSING,
    RequestDataTooBig: problems.TOO_LARGE,
    SuspiciousOperation: problems.MALFORMED,  # more parts than anybody sends in a form
}

"""Converts exceptions to problems."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import InterfaceError, OperationalError
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.request import Request

from casino.api import problems
from casino.api.problems import FieldError, Problem, ProblemType
from casino.integrations.idempotency import CallInProgress, IdempotencyKeyReused
from rounds.field_errors import InvalidField

_RETRY_SECONDS: Final = 1
_UNAVAILABLE_SECONDS: Final = 2


def problem_of(error: Exception, request: Request) -> Problem | None:
    """The problem of an exception; None for an unexpected one."""
    if isinstance(error, Problem):
        return error
    for exception, convert in _CONVERTERS.items():
        if isinstance(error, exception):
            return convert(error, request)
    matches = (kind for exception, kind in _PROBLEM_TYPES.items() if isinstance(error, exception))
    problem_type = next(matches, None)
    return Problem(problem_type) if problem_type else None


def _invalid_field(error: InvalidField, _request: Request) -> Problem:
    field_error = FieldError(f"/{error.field}", error.found, error.needed)
    return Problem(problems.REFUSED, errors=[field_error])


def _field_problem(
    problem_type: ProblemType, field: str, found: str | None, needed: str
) -> Problem:
    return Problem(problem_type, errors=[FieldError(field, found, needed)])


def _malformed_body(error: exceptions.ParseError, _request: Request) -> Problem:
    return Problem(problems.MALFORMED, str(error.detail))


def _invalid_body(error: exceptions.ValidationError, request: Request) -> Problem:
    return Problem(problems.REFUSED, errors=_fields(error.detail, request.data, ""))


def _method_not_allowed(_error: exceptions.MethodNotAllowed, request: Request) -> Problem:
    needed = _("a method listed in the Allow header")
    return _field_problem(problems.METHOD_NOT_ALLOWED, "method", request.method, needed)


def _unsupported_media_type(_error: exceptions.UnsupportedMediaType, request: Request) -> Problem:
    parsers = ", ".join(parser.media_type for parser in request.parsers or ())
    content_type = request.content_type
    return _field_problem(problems.UNSUPPORTED, "header:Content-Type", content_type, parsers)


def _reused_idempotency_key(error: IdempotencyKeyReused, _request: Request) -> Problem:
    needed = _("a new key, or the key of an identical earlier request")
    field = "header:Idempotency-Key"
    return _field_problem(problems.REUSED_IDEMPOTENCY_KEY, field, str(error), needed)


def _call_in_progress(_error: CallInProgress, _request: Request) -> Problem:
    return Problem(problems.CONFLICT, headers={"Retry-After": str(_RETRY_SECONDS)})


def unavailable(*_error: object) -> Problem:
    """Without an answer of the database, or by a conflict that repeating ends."""
    return Problem(problems.UNAVAILABLE, headers={"Retry-After": str(_UNAVAILABLE_SECONDS)})


def _fields(detail: Any, data: Any, pointer: str) -> Iterator[FieldError]:
    """Every message of a serializer, with the JSON pointer of its field."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            if name == "non_field_errors":
                yield from _fields(inner, data, pointer)
            else:
                yield from _fields(inner, _item(data, name), f"{pointer}/{_escaped(str(name))}")
    elif isinstance(detail, Sequence) and not isinstance(detail, str):
        for number, inner in enumerate(detail):
            if isinstance(inner, Mapping):
                yield from _fields(inner, _item(data, number), f"{pointer}/{number}")
            else:
                yield from _fields(inner, data, pointer)
    else:
        yield FieldError(pointer, data, str(detail))


def _item(data: Any, name: str | int) -> Any:
    try:
        return data[name]
    except (LookupError, TypeError):
        return None


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


_CONVERTERS: Final[dict[type[Exception], Callable[[Any, Request], Problem]]] = {
    exceptions.ParseError: _malformed_body,
    exceptions.ValidationError: _invalid_body,
    InvalidField: _invalid_field,
    exceptions.MethodNotAllowed: _method_not_allowed,
    exceptions.UnsupportedMediaType: _unsupported_media_type,
    IdempotencyKeyReused: _reused_idempotency_key,
    CallInProgress: _call_in_progress,
    OperationalError: unavailable,
    InterfaceError: unavailable,
}
_PROBLEM_TYPES: Final[dict[type[Exception], ProblemType]] = {
    exceptions.NotFound: problems.NOT_FOUND,
    Http404: problems.NOT_FOUND,
    exceptions.NotAcceptable: problems.NOT_ACCEPTABLE,
    exceptions.PermissionDenied: problems.SCOPE_MISSING,
    PermissionDenied: problems.SCOPE_MISSING,
    RequestDataTooBig: problems.TOO_LARGE,
    SuspiciousOperation: problems.MALFORMED,  # too many parts of a form
}

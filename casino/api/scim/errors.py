"""Errors in the format of SCIM (RFC 7644, 3.12): status, ``scimType`` and ``detail``.

``detail`` names the field, what was found and what is needed, as the problems of the API do.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from django.core.exceptions import ValidationError as InvalidModel
from django.db import IntegrityError
from django.utils.translation import gettext as _
from pydantic import ValidationError
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from scim2_models import Error, SCIMException

from casino.access.directory import errors
from casino.api import problems
from casino.api.exceptions import problem_of
from casino.api.problems import Problem

MEDIA_TYPE: Final = "application/scim+json"


class ScimProblem(NamedTuple):
    """What is answered."""

    status: int
    detail: str
    scim_type: str | None = None
    headers: Mapping[str, str] = {}

    def document(self) -> dict[str, Any]:
        """The body."""
        error = Error(status=self.status, scim_type=self.scim_type, detail=self.detail)
        return error.model_dump()


def scim_problem_of(error: Exception, request: Request) -> ScimProblem:
    """What is answered to an exception."""
    for exception, convert in _CONVERTERS.items():
        if isinstance(error, exception):
            return convert(error)
    return of_problem(problem_of(error, request) or Problem(problems.FAILED))


def of_problem(problem: Problem) -> ScimProblem:
    """A problem of the API, in the format of SCIM."""
    fields = [
        _("%(field)s: found %(found)s; needed %(needed)s")
        % {"field": field["field"], "found": field["found"], "needed": field["needed"]}
        for field in problem.document(instance="").get("errors", ())
    ]
    document = problem.document(instance="")
    detail = ". ".join([str(document.get("detail") or document["title"]), *fields])
    return ScimProblem(problem.status_code, detail, headers=problem.headers)


def _of_scim(error: SCIMException) -> ScimProblem:
    return ScimProblem(error.status, error.detail, error.scim_type or None)


def _of_body(error: ParseError) -> ScimProblem:
    return ScimProblem(400, str(error.detail), "invalidSyntax")


def _of_resource(error: ValidationError) -> ScimProblem:
    [first, *_others] = Error.from_validation_errors(error.errors(include_url=False))
    return ScimProblem(first.status or 400, first.detail or "", first.scim_type)


def _of_model(error: InvalidModel) -> ScimProblem:
    names = {"username": "userName", "first_name": "name.givenName", "email": "emails.value"}
    names |= {"last_name": "name.familyName"}
    messages = getattr(error, "message_dict", None) or {"externalId": error.messages}
    texts = [f"{names.get(field, field)}: {' '.join(all_)}" for field, all_ in messages.items()]
    return ScimProblem(400, " ".join(texts), "invalidValue")


def _of_taken(error: errors.NameTaken) -> ScimProblem:
    return ScimProblem(409, str(error), "uniqueness")


def _of_race(_error: IntegrityError) -> ScimProblem:
    text = _("userName or externalId: found a value that another account has; needed another one")
    return ScimProblem(409, text, "uniqueness")


def _of_together(error: errors.RolesTogether) -> ScimProblem:
    return ScimProblem(400, str(error), "invalidValue")


def _of_refusal(error: errors.DirectoryError) -> ScimProblem:
    return ScimProblem(403, str(error))


_CONVERTERS: Final[dict[type[Exception], Callable[[Any], ScimProblem]]] = {
    SCIMException: _of_scim,
    ParseError: _of_body,
    ValidationError: _of_resource,
    InvalidModel: _of_model,
    errors.NameTaken: _of_taken,
    errors.RolesTogether: _of_together,
    errors.DirectoryError: _of_refusal,
    IntegrityError: _of_race,
}

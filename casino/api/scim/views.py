"""The base view of SCIM: a call of the API whose bodies and errors are those of SCIM.

A change is one transaction with its audit record, as for every call. It has no Idempotency-Key: a
directory that repeats a change changes nothing.
"""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.contrib.auth.models import User as Person
from django.db import Error, transaction
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from scim2_models import (
    Context,
    NotFoundException,
    PreconditionFailedException,
    Resource,
    ResponseParameters,
)

from casino.access.audit import act_as_directory
from casino.access.directory.errors import LastAdministrators
from casino.access.directory.leave import lock_person, record_refusal
from casino.access.directory.memberships import managed_people
from casino.api.call_log import Outcome
from casino.api.etags import cache_headers, etag_of, is_not_modified, is_precondition_failed
from casino.api.parsing import JsonParser
from casino.api.rendering import JsonRenderer
from casino.api.scim.errors import MEDIA_TYPE, scim_problem_of
from casino.api.scim.resources import POLICY, ROOT
from casino.api.views import ApiView
from casino.integrations.scopes import Needed, Scope

_LONGEST_ID: Final = 18  # digits
OF_DIRECTORIES: Final[Needed] = (Scope.DIRECTORY_MANAGE,)

_log = logging.getLogger(__name__)


class ScimParser(JsonParser):
    """JSON by the name that SCIM has for it."""

    media_type = MEDIA_TYPE


class ScimRenderer(JsonRenderer):
    """JSON by the name that SCIM has for it."""

    media_type = MEDIA_TYPE
    format = "scim"


class ScimView(ApiView):
    """A resource of SCIM."""

    is_for_directories = True
    schema = None  # described by /Schemas, not by the OpenAPI document
    parser_classes = (ScimParser, JsonParser)  # type: ignore[assignment]  # more
    renderer_classes = (ScimRenderer, JsonRenderer)  # type: ignore[assignment]  # more

    @property
    def root(self) -> str:
        """The URL of SCIM, for the locations of resources."""
        return self.request.build_absolute_uri(ROOT)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Makes the directory the actor of whatever the call changes."""
        super().initial(request, *args, **kwargs)
        act_as_directory(request._request, self.caller.actor)

    def answer(self, resource: Resource[Any], *, status: int = 200) -> HttpResponse:
        """A resource, as far as the call asks for it; 304 where the directory has it already."""
        etag = self.set_version(resource)
        headers = cache_headers(etag)
        if self.request.method in ("GET", "HEAD") and is_not_modified(
            self.request, etag.removeprefix("W/")
        ):
            return HttpResponse(status=304, headers=headers)
        if status == HTTPStatus.CREATED and resource.meta:
            headers["Location"] = str(resource.meta.location)
        return Response(self.dump(resource), status, headers=headers)

    def set_version(self, resource: Resource[Any]) -> str:
        """Sets and returns the version of a resource, which is its entity tag."""
        if resource.meta:
            resource.meta.version = None
        etag = f"W/{etag_of(resource.model_dump(scim_ctx=Context.RESOURCE_QUERY_RESPONSE))}"
        if resource.meta:
            resource.meta.version = etag
        return etag

    def dump(self, resource: Resource[Any]) -> dict[str, Any]:
        """The JSON of a resource: the attributes that the call asks for."""
        params = self.request.query_params
        kind: Any = ResponseParameters.__class_getitem__(type(resource))
        wanted = {
            name: params[name] for name in ("attributes", "excludedAttributes") if name in params
        }
        chosen = kind.model_validate(wanted, scim_policy=POLICY)
        return resource.model_dump(
            scim_ctx=Context.RESOURCE_QUERY_RESPONSE, response_parameters=chosen
        )

    def require_version(self, resource: Resource[Any]) -> None:
        """Raises PreconditionFailedException where If-Match names another version."""
        if is_precondition_failed(self.request, self.set_version(resource).removeprefix("W/")):
            raise PreconditionFailedException(
                detail=_("If-Match: found another version; needed that of the resource")
            )

    def locked_person(self, key: str) -> Person:
        """The account with this id, locked. Raises NotFoundException if it is not managed."""
        person = find_person(key)
        lock_person(person.pk)
        return find_person(key)

    def _read_params(self, request: Request) -> None:
        """SCIM has its own parameters; those that it does not know are ignored."""

    def _post_once(
        self, request: Request, method: Callable[..., HttpResponse], digest: bytes
    ) -> HttpResponse:
        answer = self._rendered(request, method)
        self._record(request, Outcome(answer.status_code, digest=digest))
        return answer

    def _problem_response(self, error: Exception, request: Request) -> HttpResponse:
        problem = scim_problem_of(error, request)
        if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            _log.error("call %s failed", self.call_id, exc_info=error)
        try:
            with transaction.atomic():
                if isinstance(error, LastAdministrators):
                    record_refusal(request._request, error)
                self._record(request, Outcome(problem.status, problem.scim_type or "scim"))
        except Error as failure:
            _log.error("Call %s was not recorded", self.call_id, exc_info=failure)
            problem = scim_problem_of(failure, request)
        headers = dict(problem.headers)
        if problem.status == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = self.get_authenticate_header(request) or ""
        return Response(problem.document(), problem.status, headers=headers)


def find_person(key: str) -> Person:
    """The account with this id. Raises NotFoundException if the directory does not manage it."""
    person = managed_people().filter(pk=int(key)).first() if is_id(key) else None
    if person is None:
        text = _("id: found %(found)s; needed the id of an account that the directory manages")
        raise NotFoundException(detail=text % {"found": key[:60]})
    return person


def is_id(key: str) -> bool:
    """Whether a text can be the id of an account."""
    return key.isascii() and key.isdecimal() and len(key) <= _LONGEST_ID

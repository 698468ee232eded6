"""The index, the descriptions of the API with their reference page, and the problem types."""

from functools import cache
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from casino.api import problems
from casino.api.client.shapes import about as shapes
from casino.api.client.shapes.page import Page
from casino.api.events.asyncapi import asyncapi_of
from casino.api.openapi.components import component
from casino.api.openapi.operations import operation
from casino.api.pages import page_of
from casino.api.problems import PROBLEM_TYPES, FieldError, Problem, ProblemType
from casino.api.views import ApiView
from casino.integrations.scopes import Open
from casino.page_policy import page_policy
from rounds.feed import feed_schema
from rounds.rules.catalogue import RULE_SETS

_ADDRESSES: Final = {
    "schema": "/api/v1/schema",
    "reference": "/api/v1/reference",
    "asyncapi": "/api/v1/asyncapi",
    "feed_schema": "/api/v1/schemas/feed",
    "problems": "/api/v1/problems",
}
_TAG: Final = "about"
_PUBLIC: Final = {"GET": Open.TO_ALL}
_REFERENCE_POLICY: Final = page_policy(
    style_src=["'self'", "'unsafe-inline'"], font_src=["'self'", "data:"], form_action=[]
)


def _details(problem_type: ProblemType) -> shapes.ProblemType:
    return shapes.ProblemType(
        type=problem_type.type,
        title=str(problem_type.title),
        status=problem_type.status,
        remedy=str(problem_type.remedy),
    )


class IndexView(ApiView):
    """The index."""

    required_scopes = _PUBLIC

    @operation("read_index", "Read the index", component(shapes.ApiIndex), tag=_TAG)
    def get(self, _request: Request) -> Response:
        """The addresses of the descriptions, their reference page, and the problem types."""
        return Response(
            shapes.ApiIndex(name="Sabot", version="v1", sandbox=settings.SANDBOX, **_ADDRESSES)
        )


class SchemaView(ApiView):
    """The OpenAPI document."""

    required_scopes = _PUBLIC

    @operation(
        "read_schema",
        "Read the OpenAPI document",
        OpenApiResponse(OpenApiTypes.OBJECT, "OpenAPI 3.1, as JSON"),
        tag=_TAG,
    )
    def get(self, _request: Request) -> Response:
        """OpenAPI 3.1, always in English."""
        return Response(openapi_document())


class AsyncApiView(ApiView):
    """The AsyncAPI document."""

    required_scopes = _PUBLIC

    @operation(
        "read_asyncapi",
        "Read the AsyncAPI document",
        OpenApiResponse(OpenApiTypes.OBJECT, "AsyncAPI 3, as JSON"),
        tag=_TAG,
    )
    def get(self, _request: Request) -> Response:
        """The messages that webhooks receive, and the events that are polled."""
        return Response(asyncapi_document())


class FeedSchemaView(ApiView):
    """The JSON Schema of the feed."""

    required_scopes = _PUBLIC

    @operation(
        "read_feed_schema",
        "Read the JSON Schema of the feed",
        OpenApiResponse(OpenApiTypes.OBJECT, "JSON Schema 2020-12"),
        tag=_TAG,
    )
    def get(self, _request: Request) -> Response:
        """A document of the feed: `$defs` has a shoe, and a round and a bet of each rule set.

        Every valid document matches. Relations between fields are checked on delivery alone.
        """
        return Response({"$id": _ADDRESSES["feed_schema"], **feed_schema(RULE_SETS)})


class ProblemsView(ApiView):
    """The problem types."""

    required_scopes = _PUBLIC

    @operation(
        "list_problems", "List the problem types", component(Page[shapes.ProblemType]), tag=_TAG
    )
    def get(self, _request: Request) -> Response:
        """The meaning of each `type` of a problem document, and its remedy."""
        return Response(page_of(map(_details, PROBLEM_TYPES.values()), None))


class ProblemView(ApiView):
    """One problem type: the resource that `type` of a problem document names."""

    required_scopes = _PUBLIC

    @operation(
        "read_problem",
        "Read a problem type",
        component(shapes.ProblemType),
        [OpenApiParameter("slug", {"type": "string", "enum": sorted(PROBLEM_TYPES)}, "path")],
        tag=_TAG,
    )
    def get(self, _request: Request, slug: str) -> Response:
        """Its meaning and its remedy."""
        if slug not in PROBLEM_TYPES:
            error = FieldError("path:slug", slug, ", ".join(PROBLEM_TYPES))
            raise Problem(problems.NOT_FOUND, errors=[error])
        return Response(_details(PROBLEM_TYPES[slug]))


class NotFoundView(ApiView):
    """Every other address."""

    required_scopes = {}
    schema = None  # not in the OpenAPI document

    def initial(self, request: Request, *_args: Any, **_kwargs: Any) -> None:
        """Raises Problem (404), with or without a key."""
        needed = _("a path listed in /api/v1/reference")
        error = FieldError("path", request.path, needed)
        raise Problem(problems.NOT_FOUND, errors=[error])


@csrf_exempt  # it has no POST, which is answered 405
@require_safe
def show_reference(request: HttpRequest) -> HttpResponse:
    """The reference page for people; it loads nothing from other hosts."""
    answer = render(request, "backoffice/integrations/reference.html")
    answer.headers["Content-Security-Policy"] = _REFERENCE_POLICY
    return answer


def asyncapi_document() -> dict[str, Any]:
    """The AsyncAPI document, of the same components."""
    return asyncapi_of(openapi_document())


@cache
def openapi_document() -> dict[str, Any]:
    """The OpenAPI document, generated once per process."""
    with translation.override("en"):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]  # theirs
        document: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return document

"""The index, the OpenAPI document, its reference page, and the problem types."""

from functools import cache
from typing import Any, Final

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
from casino.api.openapi.components import component
from casino.api.openapi.examples import EXAMPLES
from casino.api.openapi.operations import operation
from casino.api.pages import page_of
from casino.api.problems import PROBLEM_TYPES, FieldError, Problem, ProblemType
from casino.api.views import ApiView
from casino.integrations.scopes import Open

_TAG: Final = "about"
_PUBLIC: Final = {"GET": Open.TO_ALL}
_REFERENCE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
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

    @operation("read_index", "Read the index", component(shapes.Index), tag=_TAG)
    def get(self, _request: Request) -> Response:
        """The addresses of the OpenAPI document, its reference page, and the problem types."""
        return Response(EXAMPLES["Index"])


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
    answer.headers["Cache-Control"] = "no-store"
    return answer


@cache
def openapi_document() -> dict[str, Any]:
    """The OpenAPI document, generated once per process."""
    with translation.override("en"):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]  # theirs
        document: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return document

"""What the API says of itself: its first page, its description, its reference, its problems."""

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
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from payouts.api import problems
from payouts.api.problems import KINDS, FieldError, Problem, ProblemKind
from payouts.api.scopes import Open
from payouts.api.views import ApiView

_ABOUT: Final = ["about"]
_PUBLIC: Final = {"GET": Open.TO_ALL}
_REFERENCE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)


class Index(serializers.Serializer[Any]):
    """Where to go from here."""

    name = serializers.CharField()
    version = serializers.CharField()
    schema = serializers.CharField(help_text="The description in OpenAPI 3.1")
    reference = serializers.CharField(help_text="The same as a page for people")
    problems = serializers.CharField(help_text="Every kind of problem, explained")


class KindOfProblem(serializers.Serializer[Any]):
    """A kind of problem, and what helps against it."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    remedy = serializers.CharField()


def _told(of: ProblemKind) -> dict[str, Any]:
    return {
        "type": of.type,
        "title": str(of.title),
        "status": of.status,
        "remedy": str(of.remedy),
    }


def _example(value: Any) -> list[OpenApiExample]:  # noqa: ANN401  JSON
    return [OpenApiExample("answer", value=value, response_only=True)]


_WHERE: Final = {
    "name": "Sabot",
    "version": "v1",
    "schema": "/api/v1/schema",
    "reference": "/api/v1/reference",
    "problems": "/api/v1/problems",
}
with translation.override("en"):
    _THROTTLED: Final = _told(problems.THROTTLED)


class IndexView(ApiView):
    """The first page."""

    needs = _PUBLIC

    @extend_schema(
        operation_id="index",
        tags=_ABOUT,
        summary="Where everything is",
        responses=Index,
        examples=_example(_WHERE),
    )
    def get(self, _request: Request) -> Response:
        """Leads to the description, its reference, and the kinds of problems."""
        return Response(_WHERE)


class SchemaView(ApiView):
    """The description of the API."""

    needs = _PUBLIC

    @extend_schema(
        operation_id="schema",
        tags=_ABOUT,
        summary="The description of this API",
        responses=OpenApiResponse(OpenApiTypes.OBJECT, "OpenAPI 3.1, as JSON"),
        examples=_example({"openapi": "3.1.1", "info": {"title": "Sabot", "version": "v1"}}),
    )
    def get(self, _request: Request) -> Response:
        """OpenAPI 3.1, in English whatever language is asked for."""
        return Response(described())


class ProblemsView(ApiView):
    """All kinds of problems."""

    needs = _PUBLIC

    @extend_schema(
        operation_id="problems",
        tags=_ABOUT,
        summary="Every kind of problem",
        responses=KindOfProblem(many=True),
        examples=_example(_THROTTLED),
    )
    def get(self, _request: Request) -> Response:
        """What each type of a problem document means, and what helps."""
        return Response([_told(one) for one in KINDS.values()])


class ProblemView(ApiView):
    """One kind of problem: where the type of a problem document leads."""

    needs = _PUBLIC

    @extend_schema(
        operation_id="problem",
        tags=_ABOUT,
        summary="One kind of problem",
        responses=KindOfProblem,
        examples=_example(_THROTTLED),
        parameters=[
            OpenApiParameter(
                "slug",
                {"type": "string", "enum": sorted(KINDS)},
                OpenApiParameter.PATH,
            )
        ],
    )
    def get(self, _request: Request, slug: str) -> Response:
        """What it means, and what helps."""
        if slug not in KINDS:
            error = FieldError("path:slug", slug, ", ".join(KINDS))
            raise Problem(problems.NOT_FOUND, errors=[error])
        return Response(_told(KINDS[slug]))


class NowhereView(ApiView):
    """Whatever has no resource."""

    needs = {}
    schema = None  # the framework's word for: not described

    def initial(self, request: Request, *_args: Any, **_kwargs: Any) -> None:  # noqa: ANN401  theirs
        """There is nothing, whoever asks."""
        needed = _("an address that /api/v1/reference names")
        error = FieldError("path", request.path, needed)
        raise Problem(problems.NOT_FOUND, errors=[error])


@csrf_exempt  # nothing is sent to it; what is, is told as 405
@require_safe
def show_reference(request: HttpRequest) -> HttpResponse:
    """The description as a page for people; it asks no other host for anything."""
    answer = render(request, "pages/api/reference.html")
    answer.headers["Content-Security-Policy"] = _REFERENCE_POLICY
    answer.headers["Cache-Control"] = "no-store"
    return answer


@cache
def described() -> dict[str, Any]:
    """The description, made once a process."""
    with translation.override("en"):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]  # theirs
        found: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return found

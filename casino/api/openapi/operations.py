"""What the OpenAPI declarations of the resources share.

``@operation(...)`` above a method of a view declares its operation; its query parameters are those
that the view accepts. Descriptions come from the docstring of the method, scopes and problems from
``casino.api.openapi.schema``, examples from ``examples.json``.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.fields import empty

from casino.api.problems import MEDIA_TYPE

JSON: Final = "application/json"
PDF: Final = "application/pdf"
ZIP: Final = "application/zip"
SIGNATURE: Final = "application/pkcs7-signature"
BINARY: Final[dict[str, Any]] = {"type": "string", "format": "binary"}
IDEMPOTENCY_KEY: Final = {
    "type": "string",
    "minLength": 1,
    "maxLength": 255,
    "pattern": "^[ -~]+$",
}
CURSOR: Final = OpenApiParameter(
    "cursor",
    str,
    description="`next` of the previous page of the same list, with the same filters and order",
)
NOT_MODIFIED: Final = OpenApiResponse(None, "Not modified")
_Method = TypeVar("_Method", bound=Callable[..., Any])


def operation(
    name: str,
    summary: str,
    responses: Any,
    parameters: Sequence[OpenApiParameter] = (),
    *,
    request: Any = empty,
    tag: str | None = None,
) -> Callable[[_Method], _Method]:
    """Declares the operation of a method. ``tag`` is needed where it is not the first path part."""

    def declare(method: _Method) -> _Method:
        query = tuple(
            parameter.name
            for parameter in parameters
            if parameter.location == OpenApiParameter.QUERY
        )
        method.__dict__["query_params"] = query
        decorate = extend_schema(
            operation_id=name,
            summary=summary,
            responses=responses,
            parameters=list(parameters),
            request=request,
            tags=None if tag is None else [tag],
        )
        return decorate(method)

    return declare


def limit(default: int, most: int) -> OpenApiParameter:
    """The number of rows of a page."""
    schema = {"type": "integer", "minimum": 1, "maximum": most, "default": default}
    return OpenApiParameter("limit", schema, description="Rows of a page")


def path_id(name: str, description: str = "") -> OpenApiParameter:
    """A numeric identifier in the path."""
    example = [OpenApiExample("id", value=1)]
    schema = {"type": "integer", "minimum": 1}
    return OpenApiParameter(name, schema, "path", description=description, examples=example)


def header(name: str, description: str = "", **options: Any) -> OpenApiParameter:
    """An optional header of the request."""
    return OpenApiParameter(name, str, "header", required=False, description=description, **options)


def problem(status: int, description: str) -> dict[tuple[int, str], OpenApiResponse]:
    """A problem response of this status."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {(status, MEDIA_TYPE): OpenApiResponse(schema, description)}


IF_NONE_MATCH: Final = header("If-None-Match")

"""Generates the OpenAPI document: scopes, problems, the Idempotency-Key, shared components."""

from typing import TYPE_CHECKING, Any, Final, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from casino.api.fields import Body
from casino.api.openapi.examples import add_examples
from casino.api.openapi.headers import HEADERS, add_headers
from casino.api.openapi.operations import IDEMPOTENCY_KEY, JSON
from casino.api.problems import ADDRESS, MEDIA_TYPE, PROBLEM_TYPES, ProblemType
from casino.integrations.scopes import OF_PROGRAMS, Needed, Open
from rounds.feed import document_schemas
from rounds.rules.catalogue import RULE_SETS

if TYPE_CHECKING:
    from casino.api.views import ApiView

KEY: Final = "key"
_EVERY_METHOD: Final = (401, 403, 404, 406, 429, 500, 503)
_UNSAFE_METHODS: Final = (400, 409, 413, 415, 422)
_WITH_QUERY: Final = (422,)
_IDEMPOTENCY_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    IDEMPOTENCY_KEY,
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "A unique text for each new call. The same call with the same text is executed once and"
        " gets the same answer each time; stored for 30 days."
    ),
)


class BearerKeys(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # theirs
    """The security scheme of API keys."""

    target_class = "casino.api.authentication.KeyAuthentication"
    name = KEY

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """HTTP bearer authentication."""
        scopes = "\n".join(f"* `{scope.value}`: {scope.label}" for scope in OF_PROGRAMS)
        text = f"The token of an API key. Each operation lists the scopes it needs:\n\n{scopes}"
        return {"type": "http", "scheme": "bearer", "description": text}


class ApiSchema(AutoSchema):
    """Adds scopes, problems and the Idempotency-Key to an operation."""

    def get_auth(self) -> list[dict[str, list[str]]]:
        """The key, unless the operation is public.

        Scopes are in ``x-scopes``: in ``security`` they would be OAuth scopes.
        """
        super().get_auth()  # adds the scheme to components.securitySchemes
        return [] if self._needed() is Open.TO_ALL else [{KEY: []}]

    def get_extensions(self) -> dict[str, list[str]]:
        """The scopes of the operation."""
        needed = self._needed()
        return {} if isinstance(needed, Open) else {"x-scopes": [scope.value for scope in needed]}

    def get_description(self) -> str:  # type: ignore[override]  # as theirs has it
        """The docstring of the method and the scopes."""
        text, needed = super().get_description(), self._needed()
        if isinstance(needed, Open):
            return str(text)
        scopes = ", ".join(f"`{scope.value}`" for scope in needed)
        return f"{text}\n\nNeeds {scopes}."

    def get_override_parameters(self) -> list[Any]:
        """The Idempotency-Key of every POST."""
        return [_IDEMPOTENCY_KEY] if self.method == "POST" else []

    def _get_request_body(self, direction: Any = "request") -> dict[str, Any] | None:
        """The declared body, which calls that take more than JSON cannot leave out."""
        body: dict[str, Any] | None = super()._get_request_body(direction)  # type: ignore[no-untyped-call]  # theirs
        if body is not None and set(body["content"]) != {JSON}:
            body["required"] = True
        return body

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        """The declared responses and all possible problems."""
        responses: dict[str, Any] = super()._get_response_bodies(direction)
        statuses = list(_EVERY_METHOD)
        if self.method not in ("GET", "HEAD"):
            statuses += _UNSAFE_METHODS
        elif any(parameter["in"] == "query" for parameter in self._get_parameters()):
            statuses += _WITH_QUERY
        if self._needed() is Open.TO_ALL:
            statuses = [status for status in statuses if status not in (401, 403, 429)]
        for status in sorted(set(statuses)):
            responses.setdefault(str(status), _problem_response(status))
        for code, response in responses.items():
            if content := response.get("content", {}).get(MEDIA_TYPE):
                content["examples"] = _problem_response(int(code))["content"][MEDIA_TYPE][
                    "examples"
                ]
        return responses

    def _needed(self) -> Needed:
        return cast("ApiView", self.view).required_scopes[self.method]


def _problem_response(status: int) -> dict[str, Any]:
    kinds = [kind for kind in PROBLEM_TYPES.values() if kind.status == status]
    content = {
        "schema": {"$ref": "#/components/schemas/Problem"},
        "examples": {kind.slug: {"value": _example(kind)} for kind in kinds},
    }
    titles = "; ".join(str(kind.title) for kind in kinds)
    return {"description": titles, "content": {MEDIA_TYPE: content}}


def _example(kind: ProblemType) -> dict[str, Any]:
    return {
        "type": f"{ADDRESS}{kind.slug}",
        "title": str(kind.title),
        "status": kind.status,
        "detail": str(kind.remedy),
        "instance": "urn:uuid:2f0a3c6e-52a5-4d0e-9a3e-0d4c1f8f4d11",
        "errors": [],
    }


_TEXT: Final = {"type": "string"}
FIELD_ERROR: Final[dict[str, Any]] = {
    "type": "object",
    "description": "An error in one field.",
    "properties": {
        "field": {
            **_TEXT,
            "description": "A JSON pointer into the body, or header:NAME, query:NAME, path:NAME",
        },
        "found": {"type": ["string", "number", "boolean", "null"]},
        "needed": _TEXT,
    },
    "required": ["field", "found", "needed"],
}
PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A problem document (RFC 9457).",
    "properties": {
        "type": {
            **_TEXT,
            "format": "uri-reference",
            "description": "The address of the problem type",
        },
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": _TEXT,
        "instance": {**_TEXT, "format": "uri", "description": "The call, as in the audit trail"},
        "errors": {
            "type": "array",
            "items": {"$ref": "#/components/schemas/FieldError"},
        },
    },
    "required": ["type", "title", "status", "detail", "instance", "errors"],
}


def add_components(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,  # noqa: FBT001  drf-spectacular's signature
) -> dict[str, Any]:
    """Adds the schemas of problems and of the feed, headers and examples; closes request bodies."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas |= {"Problem": PROBLEM, "FieldError": FIELD_ERROR}
    schemas |= document_schemas(RULE_SETS)
    result["components"]["headers"] = HEADERS
    for methods in result["paths"].values():
        for method, operation in methods.items():
            operation.setdefault("security", [])  # explicit: the operation needs no key
            add_headers(operation, method=method)
            add_examples(operation)
    for body in Body.__subclasses__():
        schemas[body.__name__]["additionalProperties"] = False
        for field in schemas[body.__name__]["properties"].values():
            _describe_default(field)
    return result


def _describe_default(field: dict[str, Any]) -> None:
    """Moves the default to the description: openapi-typescript requires what has one."""
    default = field.pop("default", None)
    if default not in (None, ""):
        text = f"Default: {default}"
        field["description"] = "\n\n".join(filter(None, (field.get("description"), text)))

"""How calls are described in OpenAPI: what a key needs, and which problems there may be."""

from typing import TYPE_CHECKING, Any, Final, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from payouts.api.fields import Body
from payouts.api.problems import ADDRESS, KINDS, MEDIA_TYPE, ProblemKind
from payouts.api.scopes import Needed, Open, Scope

if TYPE_CHECKING:
    from payouts.api.views import ApiView

KEY: Final = "key"
_READING: Final = (401, 403, 404, 406, 429, 500)
_CHANGING: Final = (400, 409, 413, 415, 422)
_ASKING: Final = (422,)
_IDEMPOTENCY_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "A text of your own, new for each new call. The same call with the same text is carried"
        " out once and answered alike each time; kept for 30 days."
    ),
    examples=[OpenApiExample("own number", value="2026-11-21-ticket-4711")],
)


class BearerKeys(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # theirs
    """Tokens, as the description of the API names them."""

    target_class = "payouts.api.authentication.KeyAuthentication"
    name = KEY

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:  # noqa: ARG002  theirs
        """A token in the header Authorization."""
        scopes = "\n".join(f"* `{one.value}`: {one.label}" for one in Scope)
        text = f"A token that was shown once. Each call says which scopes it needs:\n\n{scopes}"
        return {"type": "http", "scheme": "bearer", "description": text}


class ApiSchema(AutoSchema):
    """An operation with its scopes, its problems, and the header that makes it happen once."""

    def get_auth(self) -> list[dict[str, list[str]]]:
        """The scopes that the call needs; none where it needs no key."""
        needed = self._needed()
        if needed is Open.TO_ALL:
            return []
        return [{KEY: [] if isinstance(needed, Open) else [one.value for one in needed]}]

    def get_description(self) -> str:  # type: ignore[override]  # as theirs has it
        """What the view says of itself, and which scopes that takes."""
        text, needed = super().get_description(), self._needed()
        if isinstance(needed, Open):
            return str(text)
        scopes = ", ".join(f"`{one.value}`" for one in needed)
        return f"{text}\n\nNeeds {scopes}."

    def get_override_parameters(self) -> list[Any]:
        """Idempotency-Key, on every POST."""
        return [_IDEMPOTENCY_KEY] if self.method == "POST" else []

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:  # noqa: ANN401  theirs
        """Those that the view declares, and every problem that may come."""
        found: dict[str, Any] = super()._get_response_bodies(direction)
        statuses = list(_READING)
        if self.method not in ("GET", "HEAD"):
            statuses += _CHANGING
        elif any(one["in"] == "query" for one in self._get_parameters()):
            statuses += _ASKING
        if self._needed() is Open.TO_ALL:
            statuses = [one for one in statuses if one not in (401, 403, 429)]
        for status in sorted(set(statuses)):
            found.setdefault(str(status), _problem_response(status))
        return found

    def _needed(self) -> Needed:
        return cast("ApiView", self.view).needs[self.method]


def _problem_response(status: int) -> dict[str, Any]:
    kinds = [one for one in KINDS.values() if one.status == status]
    content = {
        "schema": {"$ref": "#/components/schemas/Problem"},
        "examples": {one.slug: {"value": _example(one)} for one in kinds},
    }
    titles = "; ".join(str(one.title) for one in kinds)
    return {"description": titles, "content": {MEDIA_TYPE: content}}


def _example(of: ProblemKind) -> dict[str, Any]:
    return {
        "type": f"{ADDRESS}{of.slug}",
        "title": str(of.title),
        "status": of.status,
        "detail": str(of.remedy),
        "instance": "urn:uuid:2f0a3c6e-52a5-4d0e-9a3e-0d4c1f8f4d11",
        "errors": [],
    }


_TEXT: Final = {"type": "string"}
PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What is wrong with a call (RFC 9457).",
    "properties": {
        "type": {**_TEXT, "format": "uri-reference", "description": "The address that explains it"},
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": _TEXT,
        "instance": {**_TEXT, "format": "uri", "description": "This very call, as it is on record"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "field": {
                        **_TEXT,
                        "description": (
                            "A JSON pointer into the body, or header:NAME, query:NAME, path:NAME"
                        ),
                    },
                    "found": {"type": ["string", "number", "boolean", "null"]},
                    "needed": _TEXT,
                },
                "required": ["field", "found", "needed"],
            },
        },
    },
    "required": ["type", "title", "status", "detail", "instance", "errors"],
}


def add_problems(
    result: dict[str, Any],
    generator: Any,  # noqa: ANN401, ARG001  theirs
    request: Any,  # noqa: ANN401, ARG001
    public: bool,  # noqa: ARG001, FBT001
) -> dict[str, Any]:
    """Adds the form of problem documents, and that what is sent has no names but these."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas["Problem"] = PROBLEM
    for body in Body.__subclasses__():
        schemas[body.__name__]["additionalProperties"] = False
    return result

"""Problem types and problem documents (RFC 9457)."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException

MEDIA_TYPE: Final = "application/problem+json"
ADDRESS: Final = "/api/v1/problems/"
_MOST_CHARACTERS: Final = 200


class ProblemType(NamedTuple):
    """A problem type: its slug, its status, its title and its remedy."""

    slug: str
    status: int
    title: str | Promise
    remedy: str | Promise

    @property
    def type(self) -> str:
        """Its URI reference."""
        return ADDRESS + self.slug


PROBLEM_TYPES: Final[dict[str, ProblemType]] = {}
"""Every problem type by its slug; ``declare_problem`` adds to it."""


def declare_problem(
    slug: str, status: int, title: str | Promise, remedy: str | Promise
) -> ProblemType:
    """Declares a problem type."""
    return PROBLEM_TYPES.setdefault(slug, ProblemType(slug, status, title, remedy))


MALFORMED: Final = declare_problem(
    "malformed",
    400,
    _("The request cannot be parsed"),
    _("Send a body of the type in Content-Type, and parameters as documented."),
)
NO_IDEMPOTENCY_KEY: Final = declare_problem(
    "idempotency-key-missing",
    400,
    _("The request has no Idempotency-Key"),
    _("Send an Idempotency-Key header with a unique value for each new request."),
)
NO_KEY: Final = declare_problem(
    "key-missing",
    401,
    _("The request has no key"),
    _("Send the header Authorization: Bearer, followed by the token."),
)
UNKNOWN_KEY: Final = declare_problem(
    "key-unknown",
    401,
    _("The key is unknown"),
    _(
        "Check that the complete token is sent. A lost token cannot be shown again; have the key"
        " rotated."
    ),
)
OTHER_MODE: Final = declare_problem(
    "key-of-other-mode",
    401,
    _("The key is for another kind of installation"),
    _(
        "Tokens of a sandbox begin with sabot_test_, those of a casino with sabot_live_. Send the"
        " request to the other address, or use the other token."
    ),
)
EXPIRED_KEY: Final = declare_problem(
    "key-expired",
    401,
    _("The key has expired"),
    _("Have a new key issued, or use the secret that replaced this one."),
)
REVOKED_KEY: Final = declare_problem(
    "key-revoked",
    401,
    _("The key was revoked"),
    _("Contact the operator to have a new key issued."),
)
ADDRESS_NOT_ALLOWED: Final = declare_problem(
    "address-not-allowed",
    403,
    _("The key does not allow this IP address"),
    _("Send the request from an IP address that the key allows, or have another key issued."),
)
SCOPE_MISSING: Final = declare_problem(
    "scope-missing",
    403,
    _("The key lacks the required scope"),
    _("Use a key with this scope. The scopes of a key are fixed; have another key issued."),
)
SESSION_REFUSED: Final = declare_problem(
    "session-refused",
    403,
    _("The browser session sent with the request has no access"),
    _("Send no cookies. Programs authenticate with their key only."),
)
HTTPS_REQUIRED: Final = declare_problem(
    "https-required",
    403,
    _("The request was sent without TLS"),
    _("Send it to the https:// address, with another key: who listened has read this one."),
)
NOT_FOUND: Final = declare_problem(
    "not-found",
    404,
    _("Not found"),
    _("Check the path. Resources that the key may not access are reported as not found."),
)
METHOD_NOT_ALLOWED: Final = declare_problem(
    "method-not-allowed",
    405,
    _("The method is not allowed"),
    _("The Allow header lists the allowed methods."),
)
NOT_ACCEPTABLE: Final = declare_problem(
    "not-acceptable",
    406,
    _("The requested media type is not available"),
    _("Accept application/json, or omit the Accept header."),
)
CONFLICT: Final = declare_problem(
    "still-carried-out",
    409,
    _("An identical request is still in progress"),
    _("Send the same request again after the number of seconds in Retry-After."),
)
TOO_LARGE: Final = declare_problem(
    "too-large",
    413,
    _("The body is too large"),
    _("Send a smaller body."),
)
UNSUPPORTED: Final = declare_problem(
    "unsupported-media-type",
    415,
    _("The media type of the body is not supported"),
    _("Send a media type documented for this operation, and set Content-Type."),
)
REFUSED: Final = declare_problem(
    "refused",
    422,
    _("The request contains invalid values"),
    _("Each entry of errors contains the field, the value found and what is needed."),
)
REUSED_IDEMPOTENCY_KEY: Final = declare_problem(
    "idempotency-key-reused",
    422,
    _("The Idempotency-Key was used for a different request"),
    _(
        "Use a new Idempotency-Key for each new request. Reuse it only to repeat the identical"
        " request."
    ),
)
THROTTLED: Final = declare_problem(
    "throttled",
    429,
    _("Too many requests"),
    _(
        "Wait for the number of seconds in Retry-After. RateLimit contains the requests that"
        " remain."
    ),
)
FAILED: Final = declare_problem(
    "failed",
    500,
    _("Server error"),
    _("Nothing was changed. Send the request again. If it fails again, report its instance."),
)
UNAVAILABLE: Final = declare_problem(
    "unavailable",
    503,
    _("The database is unavailable"),
    _("Send the same request again after the number of seconds in Retry-After."),
)


class FieldError(NamedTuple):
    """What is wrong in one place.

    That is a JSON pointer into the body, or ``header:NAME``, ``query:NAME``, ``path:NAME``.
    """

    field: str
    found: Any
    needed: str | Promise

    def to_json(self) -> dict[str, Any]:
        """The error as JSON, with at most 200 characters of what was found.

        An object or a list is found as its JSON text.
        """
        found = self.found
        if isinstance(found, Mapping | list | tuple):
            found = json.dumps(found, ensure_ascii=False, default=str)
        if not (found is None or isinstance(found, bool | int | float)):
            found = _encodable(str(found)[:_MOST_CHARACTERS])
        return {"field": _encodable(self.field), "found": found, "needed": str(self.needed)}


def _encodable(text: str) -> str:
    """The text with a question mark for each lone surrogate, which UTF-8 cannot encode."""
    return text.encode(errors="replace").decode()


class Problem(APIException):
    """A problem with its type and its field errors."""

    def __init__(
        self,
        problem_type: ProblemType,
        detail: str | Promise = "",
        *,
        errors: Iterable[FieldError] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.kind, self.errors, self.headers = problem_type, tuple(errors), dict(headers or {})
        self.status_code = problem_type.status
        super().__init__(str(detail or problem_type.remedy))

    def document(self, *, instance: str) -> dict[str, Any]:
        """The problem document of one occurrence."""
        return {
            "type": self.kind.type,
            "title": str(self.kind.title),
            "status": self.kind.status,
            "detail": str(self.detail),
            "instance": instance,
            "errors": [error.to_json() for error in self.errors],
        }

"""Problem types and problem documents (RFC 9457)."""

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
    _("The call cannot be read"),
    _("Send a body in the media type that its header says, and parameters as they are described."),
)
NO_IDEMPOTENCY_KEY: Final = declare_problem(
    "idempotency-key-missing",
    400,
    _("The call has no Idempotency-Key"),
    _("Send the header Idempotency-Key with a text of your own, a new one for each new call."),
)
NO_KEY: Final = declare_problem(
    "key-missing",
    401,
    _("The call has no key"),
    _("Send the header Authorization: Bearer, followed by the token that was shown once."),
)
UNKNOWN_KEY: Final = declare_problem(
    "key-unknown",
    401,
    _("The key is none of ours"),
    _("Look whether the whole token arrives. A lost one cannot be shown again: have it rotated."),
)
EXPIRED_KEY: Final = declare_problem(
    "key-expired",
    401,
    _("The key has expired"),
    _("Have a new key issued, or the secret that took this one's place sent to you."),
)
REVOKED_KEY: Final = declare_problem(
    "key-revoked", 401, _("The key was revoked"), _("Have a new key issued, and ask why.")
)
ADDRESS_NOT_ALLOWED: Final = declare_problem(
    "address-not-allowed",
    403,
    _("The key may not be used from this address"),
    _("Call from an address on the key's list, or have a key with another list issued."),
)
SCOPE_MISSING: Final = declare_problem(
    "scope-missing",
    403,
    _("The key may not do this"),
    _("Use a key that has the scope. A key never gets more scopes: another one has to be issued."),
)
SESSION_REFUSED: Final = declare_problem(
    "session-refused",
    403,
    _("The browser's session that came with the call may not do this"),
    _("Send no cookies: of a program only its key counts."),
)
NOT_FOUND: Final = declare_problem(
    "not-found",
    404,
    _("There is nothing here"),
    _("Look at the address. What a key may not see is answered like what there is not."),
)
METHOD_NOT_ALLOWED: Final = declare_problem(
    "method-not-allowed",
    405,
    _("This cannot be done here"),
    _("The header Allow says which methods there are."),
)
NOT_ACCEPTABLE: Final = declare_problem(
    "not-acceptable",
    406,
    _("There is no such form of the answer"),
    _("Ask for application/json, or for nothing in particular."),
)
CONFLICT: Final = declare_problem(
    "still-carried-out",
    409,
    _("The same call is still being carried out"),
    _("Send it again, unchanged, after the seconds that Retry-After says."),
)
TOO_LARGE: Final = declare_problem(
    "too-large",
    413,
    _("The body is too large"),
    _("Send less at once."),
)
UNSUPPORTED: Final = declare_problem(
    "unsupported-media-type",
    415,
    _("The body has a form that is not read here"),
    _("Send the media type that the reference names for this call, and say so in Content-Type."),
)
REFUSED: Final = declare_problem(
    "refused",
    422,
    _("Something in the call cannot be taken"),
    _("Each entry of errors names the field, what was found there, and what is needed."),
)
REUSED_IDEMPOTENCY_KEY: Final = declare_problem(
    "idempotency-key-reused",
    422,
    _("The Idempotency-Key was used for another call"),
    _("Use a new Idempotency-Key for each new call, and the same one only for the very same call."),
)
THROTTLED: Final = declare_problem(
    "throttled",
    429,
    _("Too many calls"),
    _("Wait for the seconds that Retry-After says. RateLimit says how many calls are left."),
)
FAILED: Final = declare_problem(
    "failed",
    500,
    _("Sabot failed"),
    _("Nothing was changed. Send the call again; if it fails again, tell us its instance."),
)


class FieldError(NamedTuple):
    """What is wrong in one place.

    That is a JSON pointer into the body, or ``header:NAME``, ``query:NAME``, ``path:NAME``.
    """

    field: str
    found: Any
    needed: str | Promise

    def to_json(self) -> dict[str, Any]:
        """The error as JSON, with at most 200 characters of what was found."""
        found = self.found
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

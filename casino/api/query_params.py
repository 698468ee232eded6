"""Query parameters of an API call."""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext as _
from rest_framework.request import Request

from casino.api import problems
from casino.api.problems import FieldError, Problem
from rounds.field_errors import one_of

LIMIT: Final = "limit"
CURSOR: Final = "cursor"
_LONGEST_NUMBER: Final = 9
_CURSOR_SALT: Final = "sabot: cursors of the API"


class QueryParams:
    """The query parameters of a call.

    Raises Problem (422) for unknown, repeated or empty parameters and for invalid values.
    """

    def __init__(self, request: Request, allowed: Collection[str]) -> None:
        self._values: Mapping[str, Any] = request.query_params
        for name, values in request.query_params.lists():
            if name not in allowed:
                needed = one_of(sorted(allowed)) if allowed else _("no query parameters")
                raise invalid_param(name, values[0], needed)
            if len(values) > 1 or "\0" in values[0] or not values[0]:
                needed = _("a single value of printable characters")
                raise invalid_param(name, ", ".join(values), needed)

    def text(self, name: str) -> str | None:
        """The value as it was sent; None if it is absent."""
        return self._values.get(name)

    def choice(self, name: str, choices: Collection[str]) -> str | None:
        """One of the choices; None if it is absent."""
        value = self.text(name)
        if value is not None and value not in choices:
            raise invalid_param(name, value, one_of(list(choices)))
        return value

    def choices(self, name: str, choices: Collection[str]) -> frozenset[str]:
        """Some of the choices, separated by commas; empty if it is absent."""
        text = self.text(name)
        chosen = [] if text is None else text.split(",")
        for value in chosen:
            if value not in choices:
                raise invalid_param(name, value, one_of(list(choices)))
        return frozenset(chosen)

    def timestamp(self, name: str) -> datetime | None:
        """A time with a UTC offset, converted to UTC; None if it is absent."""
        value = self.text(name)
        if value is None:
            return None
        try:
            parsed = datetime.fromisoformat(value)
            if parsed.tzinfo is not None:
                return parsed.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        needed = _("a time with a time zone, such as 2026-11-21T21:10:10Z")
        raise invalid_param(name, value, needed)

    def day(self, name: str) -> date | None:
        """A date; None if it is absent."""
        value = self.text(name)
        try:
            return None if value is None else date.fromisoformat(value)
        except ValueError:
            raise invalid_param(name, str(value), _("a date such as 2026-11-21")) from None

    def limit(self, *, default: int, most: int) -> int:
        """The number of rows of a page."""
        value = self.text(LIMIT)
        if value is None:
            return default
        is_number = value.isascii() and value.isdecimal() and len(value) <= _LONGEST_NUMBER
        if not (is_number and 1 <= int(value) <= most):
            raise invalid_param(LIMIT, value, _("a number from 1 to %(most)d") % {"most": most})
        return int(value)

    def position(self, list_key: str) -> str | None:
        """The position that the cursor encodes; None for the first page."""
        value = self.text(CURSOR)
        if value is None:
            return None
        try:
            signed_key, position = Signer(salt=_CURSOR_SALT).unsign_object(value)
        except (BadSignature, ValueError):
            signed_key, position = None, ""
        if signed_key != list_key:
            needed = _("the cursor of an earlier page with the same filters")
            raise invalid_param(CURSOR, value, needed)
        return str(position)

    def list_key(self, *parts: object, filters: Collection[str] | None = None) -> str:
        """The filters of the list and all other values that a cursor is bound to.

        ``filters`` names those of the list, if the call has parameters of another list as well.
        """
        used = {
            name: text
            for name, text in self._values.items()
            if name not in (LIMIT, CURSOR) and (filters is None or name in filters)
        }
        return repr((sorted(used.items()), *parts))


def make_cursor(list_key: str, position: str) -> str:
    """The signed cursor of the page that begins after a position."""
    return Signer(salt=_CURSOR_SALT).sign_object([list_key, position])


def invalid_param(name: str, found: str, needed: str) -> Problem:
    """The problem of a query parameter with an invalid value."""
    return Problem(problems.REFUSED, errors=[FieldError(f"query:{name}", found, needed)])

"""What a call asks for behind the question mark. Unknown names are an error, as in the feed."""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext as _
from rest_framework.request import Request

from payouts.api import problems
from payouts.api.problems import FieldError, Problem
from rounds.services.table_fields import one_of

LIMIT: Final = "limit"
CURSOR: Final = "cursor"
_SIGNED_FOR: Final = "sabot: cursors of the API"


class Asked:
    """The parameters of a call, each at most once and of known names. Raises Problem."""

    def __init__(self, request: Request, known: Collection[str]) -> None:
        self._said: Mapping[str, Any] = request.query_params
        for name, values in request.query_params.lists():
            if name not in known:
                needed = one_of(sorted(known)) if known else _("nothing behind the question mark")
                raise not_taken(name, values[0], needed)
            if len(values) > 1 or "\0" in values[0] or not values[0]:
                raise not_taken(name, ", ".join(values), _("one value, of printable characters"))

    def text(self, name: str) -> str | None:
        """What was said; None for nothing."""
        return self._said.get(name)

    def choice(self, name: str, choices: Collection[str]) -> str | None:
        """One of these, or None."""
        said = self.text(name)
        if said is not None and said not in choices:
            raise not_taken(name, said, one_of(list(choices)))
        return said

    def moment(self, name: str) -> datetime | None:
        """A time in UTC, of one that was said with its zone; or None."""
        said = self.text(name)
        if said is None:
            return None
        try:
            found = datetime.fromisoformat(said)
            if found.tzinfo is not None:
                return found.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise not_taken(name, said, _("a time with its zone, such as 2026-11-21T21:10:10Z"))

    def day(self, name: str) -> date | None:
        """A day, or None."""
        said = self.text(name)
        try:
            return None if said is None else date.fromisoformat(said)
        except ValueError:
            raise not_taken(name, str(said), _("a day such as 2026-11-21")) from None

    def limit(self, *, default: int, most: int) -> int:
        """How many rows."""
        said = self.text(LIMIT)
        if said is None:
            return default
        if not (said.isascii() and said.isdecimal() and 1 <= int(said[:9]) <= most):
            raise not_taken(LIMIT, said, _("a number from 1 to %(most)d") % {"most": most})
        return int(said)

    def place(self, of: str) -> str | None:
        """Where the page begins, as ``cursor_of`` told it for this list; None at its start."""
        said = self.text(CURSOR)
        if said is None:
            return None
        try:
            named, place = Signer(salt=_SIGNED_FOR).unsign_object(said)
        except (BadSignature, ValueError):
            named, place = None, ""
        if named != of:
            raise not_taken(CURSOR, said, _("the cursor of a page before, with the same filters"))
        return str(place)

    def name(self, *others: object) -> str:
        """What tells this list from others: its filters, and what else it depends on."""
        filters = {name: said for name, said in self._said.items() if name not in (LIMIT, CURSOR)}
        return repr((sorted(filters.items()), *others))


def cursor_of(of: str, place: str) -> str:
    """A cursor that leads on from a place of a list; nobody else can make one."""
    return Signer(salt=_SIGNED_FOR).sign_object([of, place])


def not_taken(name: str, found: str, needed: str) -> Problem:
    """A parameter that is not as it has to be."""
    return Problem(problems.REFUSED, errors=[FieldError(f"query:{name}", found, needed)])

"""Pages of rows that are numbered as they come."""

from typing import Final, NamedTuple, TypeVar

from django.db.models import Model, QuerySet

from payouts.api.asked import Asked, cursor_of

DEFAULT: Final = 50
MOST: Final = 200
_Row = TypeVar("_Row", bound=Model)


class Numbered(NamedTuple):
    """By which column the rows of a list are numbered, and which of them comes first."""

    column: str = "pk"
    is_newest_first: bool = False
    most: int = 100


OLDEST_FIRST: Final = Numbered()
NEWEST_FIRST: Final = Numbered(is_newest_first=True, most=MOST)


def page_of(
    rows: QuerySet[_Row], asked: Asked, *of: object, by: Numbered
) -> tuple[list[_Row], str | None]:
    """A page of these rows, and the cursor of the next; None on the last. Raises Problem.

    ``of`` tells the list from others. While rows are added, none is skipped or told twice.
    """
    name = asked.name(*of)
    place, limit = asked.place(name), asked.limit(default=DEFAULT, most=by.most)
    if place is not None:
        behind = "lt" if by.is_newest_first else "gt"
        rows = rows.filter(**{f"{by.column}__{behind}": int(place)})
    order = f"-{by.column}" if by.is_newest_first else by.column
    found = list(rows.order_by(order)[: limit + 1])
    shown = found[:limit]
    following = cursor_of(name, str(getattr(shown[-1], by.column))) if len(found) > limit else None
    return shown, following

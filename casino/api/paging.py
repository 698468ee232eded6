"""Keyset pagination of rows by a numeric column."""

from typing import Final, NamedTuple, TypeVar

from django.db.models import Model, QuerySet

from casino.api.query_params import QueryParams, make_cursor

DEFAULT: Final = 50
MOST: Final = 200
_Row = TypeVar("_Row", bound=Model)


class Ordering(NamedTuple):
    """The numeric column that orders a list, its direction, and the largest page."""

    column: str = "pk"
    is_descending: bool = False
    most: int = 100


OLDEST_FIRST: Final = Ordering()
NEWEST_FIRST: Final = Ordering(is_descending=True, most=MOST)


def paginate(
    rows: QuerySet[_Row], params: QueryParams, *list_parts: object, ordering: Ordering
) -> tuple[list[_Row], str | None]:
    """A page of rows and the cursor of the next; None on the last. Raises Problem.

    ``list_parts`` identify the list. Rows that are added meanwhile cause no gap and no duplicate.
    """
    key = params.list_key(*list_parts)
    position = params.position(key)
    limit = params.limit(default=DEFAULT, most=ordering.most)
    if position is not None:
        lookup = "lt" if ordering.is_descending else "gt"
        rows = rows.filter(**{f"{ordering.column}__{lookup}": int(position)})
    order = f"-{ordering.column}" if ordering.is_descending else ordering.column
    page = list(rows.order_by(order)[: limit + 1])
    if len(page) <= limit:
        return page, None
    return page[:limit], make_cursor(key, str(getattr(page[limit - 1], ordering.column)))

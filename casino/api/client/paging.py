"""Iterates over the pages of a list."""

from collections.abc import Iterator, Mapping
from typing import Final, TypedDict, TypeVar

from .calls import Calls, Operation, Query
from .shapes.page import Page

T = TypeVar("T")
_MOST: Final = 200
_MOST_EXPANDED: Final = 20


class Listed(TypedDict, total=False):
    """Of every list with an order: ``sort`` (``-`` for newest first), and the rows of a page."""

    sort: str | None
    limit: int


def items(
    calls: Calls, operation: Operation[Page[T]], at: Mapping[str, object], query: Query
) -> Iterator[T]:
    """All rows of a list; each page is read when it is needed."""
    limit, cursor = _MOST_EXPANDED if query.get("expand") else _MOST, None
    while True:
        page = calls.call(operation, at, query={"limit": limit, **query, "cursor": cursor})
        yield from page.data
        cursor = page.next
        if cursor is None:
            return

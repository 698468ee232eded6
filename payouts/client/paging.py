"""Lists, which the API tells page by page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from .calls import Calls, Operation, Query

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Page(Generic[T]):
    """Some of a list; ``next`` is the cursor of those behind them."""

    data: tuple[T, ...]
    next: str | None


def items(
    calls: Calls, operation: Operation[Page[T]], at: Mapping[str, object], query: Query
) -> Iterator[T]:
    """All of a list, page after page, each asked for when it is needed."""
    cursor = None
    while True:
        page = calls.tell(operation, at, query={**query, "cursor": cursor})
        yield from page.data
        cursor = page.next
        if cursor is None:
            return

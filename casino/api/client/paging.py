"""Iterates over the pages of a list."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from .calls import Calls, Operation, Query
from .shapes.page import Page

T = TypeVar("T")


def items(
    calls: Calls, operation: Operation[Page[T]], at: Mapping[str, object], query: Query
) -> Iterator[T]:
    """All rows of a list; each page is read when it is needed."""
    cursor = None
    while True:
        page = calls.call(operation, at, query={**query, "cursor": cursor})
        yield from page.data
        cursor = page.next
        if cursor is None:
            return

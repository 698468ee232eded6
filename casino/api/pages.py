"""A page of a list, as the API returns it."""

from collections.abc import Iterable
from typing import TypeVar

from casino.api.client.shapes.page import Page

_Row = TypeVar("_Row")


def page_of(rows: Iterable[_Row], next_cursor: str | None) -> Page[_Row]:
    """One page of a list; ``next_cursor`` is None on the last page."""
    return Page(data=tuple(rows), next=next_cursor)

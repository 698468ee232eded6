"""A page of a list."""

from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Page(Generic[T]):
    """One page of a list."""

    data: tuple[T, ...]
    next: Annotated[str | None, "The cursor of the next page; null on the last page"]

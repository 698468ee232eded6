"""The columns of a list: headings, order, totals, and the values in its files."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.functional import Promise

from casino.backoffice.site.keyset_paging import Order


class Kind(Enum):
    """What the values of a column are."""

    TEXT = auto()
    COUNT = auto()
    MONEY = auto()
    """Cents."""
    MOMENT = auto()
    DAY = auto()


@dataclass(frozen=True)
class Column:
    """A column: its name in addresses, its heading, and its value in a line of the list.

    A list can be ordered by ``sort``, a field of its rows; an index has to give that order, or the
    rows have to be few. An ``optional`` column is left out on narrow screens.
    """

    name: str
    label: str | Promise
    value: Callable[[Any], object]
    kind: Kind = Kind.TEXT
    sort: str = ""
    is_optional: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is aligned to the right."""
        return self.kind in (Kind.COUNT, Kind.MONEY)


class Heading(NamedTuple):
    """A column as the page shows it."""

    column: Column
    is_shown: bool
    direction: str
    """``ascending`` or ``descending``; empty if the list is not ordered by it."""
    sort: str
    """The value of ``sort`` that orders by it, or turns the order; empty if that is impossible."""
    total: int | None
    """The sum in cents of the lines shown."""


def shown_columns(columns: Sequence[Column], query: QueryDict) -> list[Column]:
    """The chosen columns (``columns``), or all."""
    chosen = set(query.getlist("columns"))
    return [column for column in columns if column.name in chosen] or list(columns)


def order_of(columns: Sequence[Column], query: QueryDict, *, default: str) -> tuple[str, Order]:
    """The order asked for by ``sort``, with its name; an unknown one is the default."""
    by_name = {column.name: column.sort for column in columns if column.sort}
    for text in (query.get("sort", ""), default):
        name = text.removeprefix("-")
        if name in by_name:
            return text, Order(by_name[name], text.startswith("-"))
    return "", Order()


def headings_of(
    columns: Sequence[Column], shown: Collection[Column], *, sort: str, lines: Iterable[Any]
) -> list[Heading]:
    """The columns as the page shows them, with the order ``sort`` and totals of the lines."""
    listed = list(lines)
    return [_heading(column, column in shown, sort, listed) for column in columns]


def _heading(column: Column, is_shown: bool, sort: str, lines: list[Any]) -> Heading:  # noqa: FBT001  private
    is_sorted = sort.removeprefix("-") == column.name
    descends = is_sorted and sort.startswith("-")
    other_way = column.name if descends else f"-{column.name}"
    first_way = f"-{column.name}" if column.kind is not Kind.TEXT else column.name
    total = None
    if column.kind is Kind.MONEY and lines:
        cents = [column.value(line) for line in lines]
        total = sum(value for value in cents if isinstance(value, int))
    return Heading(
        column,
        is_shown,
        ("descending" if descends else "ascending") if is_sorted else "",
        (other_way if is_sorted else first_way) if column.sort else "",
        total,
    )

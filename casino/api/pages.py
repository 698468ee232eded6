"""Lists: pages, orders and filters by time, declared once for every list and given by an index.

A page begins after the last row of the page before, by columns that never change, so rows that are
added meanwhile cause no gap and no duplicate. The order by the latest change is oldest first: a row
that changes meanwhile moves to a later page.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db.models import F, Func, Model, OuterRef, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan, TupleLessThan
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from casino.api.client.shapes.page import Page
from casino.api.openapi.operations import CURSOR, limit
from casino.api.query_params import QueryParams, invalid_param, make_cursor
from rounds.search import EqualsAny

DEFAULT: Final = 50
MOST: Final = 200
_SORT: Final = "sort"
_MOST_FACTS: Final = 500
"""Facts that are read for a page, of which filters may leave few."""
_Row = TypeVar("_Row", bound=Model)
_Shape = TypeVar("_Shape")
_Place = tuple[Any, ...]


class Facts(NamedTuple):
    """Facts about the rows of a list, by an index over their time and the id of the row."""

    rows: QuerySet[Any]
    time: str
    key: str


class Order(NamedTuple):
    """An order of a list. Its name is that of ``sort``, and of its filters NAME_since and _before.

    It is by columns of the row, a time and a unique one; the unique one alone has no filters.
    """

    name: str = ""
    description: str = ""
    """What the time is, for the description of the filters."""
    columns: tuple[str, ...] = ("pk",)
    facts: tuple[Facts, ...] = ()
    """The time is that of these facts instead."""
    latest: Combinable | None = None
    """The time of the latest of them, if a row has several: it is listed at that one alone."""

    @property
    def choices(self) -> list[str]:
        """The values of ``sort``; the order by the latest fact is oldest first."""
        names = [self.name] if self.latest else [self.name, f"-{self.name}"]
        return names if self.name else []

    @property
    def filters(self) -> dict[str, str]:
        """The filters by its time, with the lookup of each."""
        is_timed = self.facts or len(self.columns) > 1
        lookups = {"since": "gte"} if self.latest else {"since": "gte", "before": "lt"}
        return {f"{self.name}_{end}": lookup for end, lookup in lookups.items() if is_timed}


class Listing(NamedTuple):
    """A list: its name, its orders, of which the first is the default, and its largest page."""

    name: str
    orders: tuple[Order, ...] = (Order(),)
    is_descending: bool = True
    most: int = MOST

    @property
    def parameters(self) -> list[OpenApiParameter]:
        """Its filters by time, ``sort``, ``limit`` and ``cursor``."""
        times = [
            OpenApiParameter(
                name,
                OpenApiTypes.DATETIME,
                description=f"{order.description} "
                f"{'before this time' if lookup == 'lt' else 'at this time or later'};"
                f" orders the list by `{order.name}`",
            )
            for order in self.orders
            for name, lookup in order.filters.items()
        ]
        description = "`-`: newest first. Without it: the time of the filter, newest first"
        sort = [OpenApiParameter(_SORT, str, enum=self._choices, description=description)]
        return [*times, *(sort if self._choices else []), limit(DEFAULT, self.most), CURSOR]

    @property
    def _choices(self) -> list[str]:
        return [choice for order in self.orders for choice in order.choices]

    def page(
        self,
        rows: QuerySet[_Row],
        params: QueryParams,
        *bound_to: object,
        shapes: Callable[[list[_Row]], Iterable[_Shape]],
        most: int | None = None,
    ) -> Page[_Shape]:
        """The requested page. Raises Problem.

        Its cursor is bound to ``bound_to``, to the filters and to the order. With ``most`` the
        largest page is smaller. In the order of facts it may have fewer rows than there are.
        """
        key = params.list_key(self.name, *bound_to)
        position, most = params.position(key), most or self.most
        size = params.limit(default=min(DEFAULT, most), most=most)
        order, is_descending = self._requested_order(params)
        lookups = {
            lookup: moment
            for name, lookup in order.filters.items()
            if (moment := params.timestamp(name))
        }
        find = _page_by_facts if order.facts else _page_by_columns
        found, last = find(rows, order, _Range(position, lookups, is_descending), size)
        following = None if last is None else make_cursor(key, _position_of(last))
        return page_of(shapes(found), following)

    def _requested_order(self, params: QueryParams) -> tuple[Order, bool]:
        """The order of ``sort``, or else of the filter by time, and its direction."""
        filtered = {
            name: order for order in self.orders for name in order.filters if params.text(name)
        }
        sort = params.choice(_SORT, self._choices) if self._choices else None
        named = [order for order in self.orders if sort and sort in order.choices]
        order = [*named, *filtered.values(), self.orders[0]][0]
        for name, other in filtered.items():
            if other is not order:
                needed = _("the time by which the list is ordered: %(order)s")
                found = params.text(name) or ""
                raise invalid_param(name, found, needed % {"order": order.name})
        is_descending = sort.startswith("-") if sort else self.is_descending
        return order, is_descending and not order.latest


def page_of(rows: Iterable[_Shape], next_cursor: str | None) -> Page[_Shape]:
    """One page of a list; ``next_cursor`` is None on the last page."""
    return Page(data=tuple(rows), next=next_cursor)


def latest_of(facts: type[Model], row: str, time: str, **where: object) -> Subquery:
    """The time of the latest of the numbered facts about a row."""
    known = facts._default_manager.filter(**{row: OuterRef("pk")}, **where)
    return Subquery(known.order_by("-sequence").values(time)[:1])


class _Range(NamedTuple):
    """The places of a list that a page is about."""

    after: str | None
    lookups: Mapping[str, datetime]
    is_descending: bool

    def first(self, rows: QuerySet[_Row], columns: tuple[str, ...], most: int) -> QuerySet[_Row]:
        """The first rows of the range in the order of the columns."""
        time = columns[0]
        rows = rows.filter(**{f"{time}__{lookup}": at for lookup, at in self.lookups.items()})
        if len(columns) > 1:
            rows = rows.filter(**{f"{time}__isnull": False})
        if self.after is not None:
            compare = TupleLessThan if self.is_descending else TupleGreaterThan
            rows = rows.filter(compare(Tuple(*map(F, columns)), _place_at(self.after)))
        return rows.order_by(*(f"-{c}" if self.is_descending else c for c in columns))[:most]


def _page_by_columns(
    rows: QuerySet[_Row], order: Order, range_: _Range, size: int
) -> tuple[list[_Row], _Place | None]:
    """A page, and the place of its last row unless it is the last page."""
    found = list(range_.first(rows, order.columns, size + 1))
    last = found[size - 1] if len(found) > size else None
    return found[:size], None if last is None else tuple(getattr(last, c) for c in order.columns)


def _page_by_facts(
    rows: QuerySet[_Row], order: Order, range_: _Range, size: int
) -> tuple[list[_Row], _Place | None]:
    """The same. The facts are read first: a join could read all rows and sort them."""
    places: set[_Place] = set()
    for facts in order.facts:
        columns = (facts.time, facts.key)
        places.update(range_.first(facts.rows, columns, _MOST_FACTS).values_list(*columns))
    window = sorted(places, reverse=range_.is_descending)[:_MOST_FACTS]
    listed_at = {key: at for at, key in window}  # of several facts about a row the last one
    known: QuerySet[Any, Any] = rows.filter(EqualsAny(F("pk"), _array_of(rows, list(listed_at))))
    if order.latest is not None:
        known = known.annotate(latest_at=order.latest)
    found = {
        (listed_at[row.pk], row.pk): row
        for row in known
        if order.latest is None or row.__dict__["latest_at"] == listed_at[row.pk]
    }
    page = sorted(found, reverse=range_.is_descending)
    if len(page) > size:
        return [found[place] for place in page[:size]], page[size - 1]
    is_last = len(window) < _MOST_FACTS
    return [found[place] for place in page], None if is_last else window[-1]


def _array_of(rows: QuerySet[Any], keys: list[object]) -> Func:
    """The keys, of which the planner does not know that they are many: it would read a month."""
    values = Value(keys, output_field=ArrayField(type(rows.model._meta.pk)()))
    return Func(values, template="ARRAY(SELECT unnest(%(expressions)s))")


def _position_of(place: _Place) -> str:
    return " ".join(
        value.isoformat() if isinstance(value, datetime) else str(value) for value in place
    )


def _place_at(position: str) -> _Place:
    *times, key = position.split(" ")
    unique = UUID(key) if "-" in key else int(key)
    return (*map(datetime.fromisoformat, times), unique)

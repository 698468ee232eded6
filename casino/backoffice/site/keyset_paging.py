"""Keyset paging for big tables: no count, no OFFSET."""

from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import F, Field, Model, Q, QuerySet
from django.http import QueryDict

SIZE: Final = 50
_BETWEEN: Final = "~"


class KeysetPage(NamedTuple):
    """Rows in their order, and the keys of the neighbouring pages (None at an end).

    The rows come newest first unless another order was chosen. ``newer_than`` is the page before,
    ``older_than`` the page after.
    """

    rows: Sequence[Any]
    newer_than: Any
    older_than: Any


class Order(NamedTuple):
    """The column by which a list is ordered, and the direction. Rows without a value are last."""

    field: str = "pk"
    is_descending: bool = True


NEWEST: Final = Order()
"""The order of the primary key, newest first."""


class _Place(NamedTuple):
    """A row's place in the order: its value, and its key among equal values."""

    value: Any
    pk: Any


def page_of(rows: QuerySet[Any], query: QueryDict, order: Order = NEWEST) -> KeysetPage:
    """The rows ``before`` or ``after`` a place, by default the first. An invalid place is ignored.

    Each page is a range of the order, so rows that arrive meanwhile cause neither duplicates nor
    gaps.
    """
    earlier, later = (_place_of(rows, query.get(name), order) for name in ("after", "before"))
    if earlier is not None:
        fetched = list(_from(rows, earlier, order, is_backwards=True)[: SIZE + 1])
        listed = fetched[:SIZE][::-1]
        return _page(listed, order, is_first=len(fetched) <= SIZE, is_last=False)
    fetched = list(_from(rows, later, order)[: SIZE + 1])
    return _page(fetched[:SIZE], order, is_first=later is None, is_last=len(fetched) <= SIZE)


def ordered(rows: QuerySet[Any], order: Order) -> QuerySet[Any]:
    """All of the rows in this order."""
    return _from(rows, None, order)


def _from(
    rows: QuerySet[Any], place: _Place | None, order: Order, *, is_backwards: bool = False
) -> QuerySet[Any]:
    """The rows that follow a place, nearest first; backwards those that precede it."""
    descends = order.is_descending is not is_backwards
    by_key = "-pk" if descends else "pk"
    if place is not None:
        rows = rows.filter(_beyond(rows, place, order, descends=descends, back=is_backwards))
    if order.field == "pk":
        return rows.order_by(by_key)
    if not _may_be_null(rows, order.field):
        return rows.order_by(f"-{order.field}" if descends else order.field, by_key)
    nulls: dict[str, Any] = {"nulls_first": True} if is_backwards else {"nulls_last": True}
    field = F(order.field)
    return rows.order_by(field.desc(**nulls) if descends else field.asc(**nulls), by_key)


def _beyond(rows: QuerySet[Any], place: _Place, order: Order, *, descends: bool, back: bool) -> Q:
    side, field = ("lt" if descends else "gt"), order.field
    later_key = Q((f"pk__{side}", place.pk))
    if field == "pk":
        return later_key
    if place.value is None:
        without = Q((f"{field}__isnull", True)) & later_key
        return Q((f"{field}__isnull", False)) | without if back else without
    further = Q((f"{field}__{side}", place.value)) | later_key
    reached = Q((f"{field}__{side}e", place.value)) & further  # the range that an index reads
    if back or not _may_be_null(rows, field):
        return reached
    return reached | Q((f"{field}__isnull", True))


def _may_be_null(rows: QuerySet[Any], field: str) -> bool:
    """Whether rows may lack a value; always of what is computed or joined."""
    try:
        return bool(rows.model._meta.get_field(field).null)
    except FieldDoesNotExist:
        return True


def _page(listed: Sequence[Any], order: Order, *, is_first: bool, is_last: bool) -> KeysetPage:
    if not listed:
        return KeysetPage((), None, None)
    return KeysetPage(
        listed,
        None if is_first else _key(listed[0], order),
        None if is_last else _key(listed[-1], order),
    )


def _key(row: Any, order: Order) -> Any:
    """The place of a row as a text of the URL."""
    if order.field == "pk":
        return row.pk
    value = row
    for name in order.field.split("__"):
        value = getattr(value, name, None)
    text = value.isoformat() if isinstance(value, date) else "" if value is None else str(value)
    return f"{text}{_BETWEEN}{row.pk}"


def _place_of(rows: QuerySet[Any], text: str | None, order: Order) -> _Place | None:
    """The place in a URL; None if invalid."""
    if not text or order.field == "pk":
        key = key_of(rows.model, text)
        return None if key is None else _Place(None, key)
    value, _between, key_text = text.replace("\0", "").rpartition(_BETWEEN)
    key = key_of(rows.model, key_text)
    if key is None:
        return None
    field: Field[Any, Any] = rows.all().query.resolve_ref(order.field).output_field
    try:
        return _Place(field.to_python(value) if value else None, key)
    except ValidationError:
        return None


def key_of(model: type[Model], text: str | None) -> Any:
    """The text as a primary key; None if invalid."""
    try:
        return model._meta.pk.to_python(text) if text else None
    except ValidationError:
        return None

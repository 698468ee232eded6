"""Keyset paging for big tables: no count, no OFFSET."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import QueryDict

SIZE: Final = 50


class KeysetPage(NamedTuple):
    """Rows, newest first, and the keys of the neighbouring pages (None at an end)."""

    rows: Sequence[Any]
    newer_than: Any
    older_than: Any


def page_of(rows: QuerySet[Any], query: QueryDict) -> KeysetPage:
    """The rows ``before`` or ``after`` a key, by default the newest. An invalid key is ignored.

    Each page is a range of the primary key, which is ordered by time, so rows that arrive
    meanwhile cause neither duplicates nor gaps.
    """
    low, high = (key_of(rows.model, query.get(name)) for name in ("after", "before"))
    if low is not None:
        fetched = list(rows.filter(pk__gt=low).order_by("pk")[: SIZE + 1])
        listed = fetched[:SIZE][::-1]
        return _page(listed, is_newest=len(fetched) <= SIZE, is_oldest=False)
    older = rows if high is None else rows.filter(pk__lt=high)
    fetched = list(older.order_by("-pk")[: SIZE + 1])
    return _page(fetched[:SIZE], is_newest=high is None, is_oldest=len(fetched) <= SIZE)


def _page(listed: Sequence[Any], *, is_newest: bool, is_oldest: bool) -> KeysetPage:
    if not listed:
        return KeysetPage((), None, None)
    return KeysetPage(
        listed, None if is_newest else listed[0].pk, None if is_oldest else listed[-1].pk
    )


def key_of(model: type[Model], text: str | None) -> Any:
    """The text as a primary key; None if invalid."""
    try:
        return model._meta.pk.to_python(text) if text else None
    except ValidationError:
        return None

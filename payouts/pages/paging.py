"""Pages of big tables by key: never counted, never skipped through with OFFSET."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet

SIZE: Final = 50


class KeysetPage(NamedTuple):
    """Some rows, newest first, and the keys that lead on from them (None at an end)."""

    rows: Sequence[Any]
    newer_than: Any
    older_than: Any


def page_of(
    rows: QuerySet[Any], *, before: str | None, after: str | None, size: int = SIZE
) -> KeysetPage:
    """The rows just before or just after a key, the newest without one; a bad key counts as none.

    Each page is one range of the primary key, whose order is that of time, so that no row is
    shown twice or left out while others arrive.
    """
    low, high = key_of(rows.model, after), key_of(rows.model, before)
    if low is not None:
        found = list(rows.filter(pk__gt=low).order_by("pk")[: size + 1])
        shown = found[:size][::-1]
        return _page(shown, is_newest=len(found) <= size, is_oldest=False)
    older = rows if high is None else rows.filter(pk__lt=high)
    found = list(older.order_by("-pk")[: size + 1])
    return _page(found[:size], is_newest=high is None, is_oldest=len(found) <= size)


def _page(shown: Sequence[Any], *, is_newest: bool, is_oldest: bool) -> KeysetPage:
    if not shown:
        return KeysetPage((), None, None)
    return KeysetPage(
        shown,
        None if is_newest else shown[0].pk,
        None if is_oldest else shown[-1].pk,
    )


def key_of(model: type[Model], text: str | None) -> Any:  # noqa: ANN401  the key's type is the model's
    """The key that a text says, None for what is none."""
    try:
        return model._meta.pk.to_python(text) if text else None  # noqa: SLF001  documented as public
    except ValidationError:
        return None

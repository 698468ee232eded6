"""Asking the database, in the transaction's snapshot."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from django.db import DatabaseError, connection

_Round = TypeVar("_Round")


def rows_of(query: str, arguments: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
    """All rows of a query that has few."""
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def read_each(
    read: Callable[[Sequence[UUID]], list[_Round]],
    round_ids: Sequence[UUID],
    refuse: Callable[[UUID, Exception], None],
) -> list[_Round]:
    """The rounds, all at once; one by one where that fails, so that one alone is refused."""
    try:
        return read(round_ids)
    except DatabaseError:
        raise
    except Exception as error:  # noqa: BLE001  facts that were changed may be anything
        if len(round_ids) == 1:
            refuse(round_ids[0], error)
            return []
    return [one for round_id in round_ids for one in read_each(read, [round_id], refuse)]

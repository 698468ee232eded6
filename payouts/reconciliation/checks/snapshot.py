"""Reading from the snapshot of the current transaction."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.db import DatabaseError, connection

_Round = TypeVar("_Round")


class Fetch(Protocol):
    """Reads all rows of a query: from the database, or from an archive."""

    def __call__(
        self, query: str, arguments: Mapping[str, Any] | None = None, /
    ) -> list[tuple[Any, ...]]:
        """The rows; ``arguments`` are those of psycopg, by name."""


def fetch_rows(query: str, arguments: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def read_each(
    read: Callable[[Sequence[UUID]], list[_Round]],
    round_ids: Sequence[UUID],
    refuse: Callable[[UUID, Exception], None],
) -> list[_Round]:
    """Reads the rounds together, or one by one if that fails, so that only bad ones are refused."""
    try:
        return read(round_ids)
    except DatabaseError:
        raise
    except Exception as error:  # noqa: BLE001  altered facts may raise anything
        if len(round_ids) == 1:
            refuse(round_ids[0], error)
            return []
    return [row for round_id in round_ids for row in read_each(read, [round_id], refuse)]

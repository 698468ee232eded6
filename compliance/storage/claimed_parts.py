"""Work in parts that several processes share: who claims a part locks its row until it is done."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import connection, transaction
from django.db.models import Model, QuerySet

_Part = TypeVar("_Part", bound=Model)


def claim_part(parts: "QuerySet[_Part]", *, lock: str = "") -> _Part | None:
    """Locks the first of these rows that is not done and that nobody has; None without one.

    The first statement of a transaction, which then reads one snapshot; ``lock`` is a statement
    that locks tables before. A killed process releases its part.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        if lock:
            cursor.execute(lock)
    free = parts.filter(done_at=None).order_by("pk")
    return free.select_for_update(skip_locked=True).first()


@contextmanager
def reading_only() -> Iterator[None]:
    """Inside, the transaction writes nothing."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")  # until the savepoint ends
        yield

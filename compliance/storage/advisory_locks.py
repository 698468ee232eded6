"""PostgreSQL advisory locks, by name."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection, connections

from compliance.storage.sessions import session_alias

_LOCK: Final = """
    SELECT pg_advisory_xact_lock(key)
      FROM (SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest(%s::text[]) AS name
             ORDER BY key) AS keys
"""


def lock_names(names: Iterable[str]) -> None:
    """Locks these names until the end of the transaction; waits while another holds one of them.

    All callers lock in the order of the keys, so two transactions never deadlock on one call each.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [sorted(set(names))])


def try_lock_name(name: str) -> bool:
    """Locks the name until the end of the transaction; False, at once, if another holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        return bool(cursor.fetchone()[0])


@contextmanager
def session_lock(name: str) -> Iterator[bool]:
    """Locks the name for this process, across transactions; False if another holds it.

    PostgreSQL releases it when the connection ends, as with a process that is killed. Raises
    NoSession if every connection goes through a pool.
    """
    session = connections[session_alias()]
    with session.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [name])
        is_ours = bool(cursor.fetchone()[0])
    try:
        yield is_ours
    finally:
        if is_ours:
            with session.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [name])

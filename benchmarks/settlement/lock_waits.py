"""How long the sessions of a database wait for locks, as another session sees it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Final

import psycopg

MIGRATION: Final = "migration"
"""The application name (``PGAPPNAME``) of the session whose locks are of interest."""
_PAUSE_SECONDS: Final = 0.005
# Tasks that may not run at the same time queue by advisory locks: that is no wait for data.
_WAITS: Final = """
    SELECT coalesce(extract(epoch FROM clock_timestamp() - waiting.waitstart), 0)::float,
           EXISTS (SELECT FROM pg_stat_activity AS migrating
                    WHERE migrating.application_name = %(migration)s
                      AND migrating.pid = ANY (pg_blocking_pids(waiting.pid))),
           format('%%s, %%s: %%s', waiting.locktype, waiting.mode, session.query)
      FROM pg_locks AS waiting JOIN pg_stat_activity AS session USING (pid)
     WHERE NOT waiting.granted AND waiting.locktype <> 'advisory'
       AND session.datname = current_database()
       AND session.application_name <> %(migration)s
"""


@dataclass
class LockWaits:
    """The longest waits that were seen, in seconds. One that ends between two looks is not seen."""

    longest_seconds: float = 0.0
    """Of any session but the migration, for a table or row: also of workers for each other's."""
    for_migration_seconds: float = 0.0
    """Because of the migration's locks, or of those that it waited for."""
    longest: str = ""
    """What waited for the longest: the kind of lock, and the statement."""
    seen_for_migration: int = 0
    """How often somebody was seen who waited for the migration."""

    def note(self, seconds: float, statement: str, *, is_for_migration: bool) -> None:
        """Notes a wait that was seen."""
        if seconds > self.longest_seconds:
            self.longest_seconds, self.longest = seconds, " ".join(statement.split())[:200]
        if is_for_migration:
            self.for_migration_seconds = max(self.for_migration_seconds, seconds)
            self.seen_for_migration += 1


@contextmanager
def watched_lock_waits(url: str) -> Iterator[LockWaits]:
    """Looks every five milliseconds until the block ends."""
    waits, is_over = LockWaits(), Event()
    with psycopg.connect(url, autocommit=True) as session:
        watching = Thread(target=_watch, args=(session, waits, is_over))
        watching.start()
        try:
            yield waits
        finally:
            is_over.set()
            watching.join()


def _watch(session: psycopg.Connection[Any], waits: LockWaits, is_over: Event) -> None:
    while not is_over.wait(_PAUSE_SECONDS):
        for seconds, is_for_migration, statement in session.execute(
            _WAITS, {"migration": MIGRATION}
        ).fetchall():
            waits.note(seconds, statement, is_for_migration=is_for_migration)

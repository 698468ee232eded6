"""A second session that watches what the locks of one session do to others, and limits it.

A statement that waits for a strong lock makes everybody wait who asks for the table after it, and
one that has the lock does so until its transaction ends. ``lock_timeout`` bounds a single wait of
the session; the guard bounds what others wait because of it, over all statements of a transaction.
"""

from collections.abc import Sequence
from threading import Event, Thread
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

_PAUSE_SECONDS: Final = 0.025
_BLOCKERS: Final = """
    SELECT watched.query, blocker.pid, coalesce(blocker.usename, blocker.backend_type),
           coalesce(blocker.application_name, ''), coalesce(blocker.state, 'state not visible'),
           coalesce(extract(epoch FROM clock_timestamp() - blocker.xact_start), 0)::int,
           blocker.query_start, coalesce(blocker.query, '')
      FROM pg_stat_activity AS watched
     CROSS JOIN LATERAL unnest(pg_blocking_pids(watched.pid)) AS blocking (pid)
      JOIN pg_stat_activity AS blocker ON blocker.pid = blocking.pid
     WHERE watched.pid = %s AND watched.wait_event_type = 'Lock'
     ORDER BY blocker.xact_start
"""
# Readers, writers, and who waits for a row. Maintenance that waits (VACUUM, a new partition) is no
# traffic: it may wait for an index that is built besides the traffic.
_LONGEST_WAIT: Final = """
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waiting.waitstart)), 0)::float,
           watched.query
      FROM pg_stat_activity AS watched
      LEFT JOIN pg_locks AS waiting
        ON NOT waiting.granted AND waiting.pid <> watched.pid
       AND (waiting.locktype IN ('transactionid', 'tuple')
            OR waiting.mode IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock'))
       AND watched.pid = ANY (pg_blocking_pids(waiting.pid))
     WHERE watched.pid = %s
     GROUP BY watched.query
"""


class Session(NamedTuple):
    """A session of PostgreSQL that blocks another. Texts are empty where the role may not see."""

    pid: int
    role: str
    application: str
    state: str
    transaction_seconds: int
    query_start: object
    query: str

    def __str__(self) -> str:
        name = f"{self.role} {self.application}".strip()
        query = " ".join(self.query.split())[:200]
        return (
            f"pid {self.pid}, {name}, {self.state}, in a transaction for"
            f" {self.transaction_seconds} s, last statement at {self.query_start}: {query}"
        )


class LockGuard:
    """Watches the session of a connection; a context manager.

    Once somebody has waited for ``limit_seconds`` because of the session, its statement is
    cancelled, which raises OperationalError in the session.
    """

    def __init__(self, connection: BaseDatabaseWrapper, *, limit_seconds: float) -> None:
        self._connection, self._limit_seconds = connection, limit_seconds
        self._is_over = Event()
        self._thread: Thread | None = None
        self._pid = 0
        self.longest_wait_seconds = 0.0
        """Of others, because of the session; measured every 25 ms."""
        self.has_cancelled = False
        """Whether the limit was reached."""
        self.waits_for: Sequence[Session] = ()
        """Who blocked the session when it waited last."""
        self.statement = ""
        """The statement of the session that waited last, or that was cancelled."""
        self.failure: DatabaseError | None = None
        """Why the guard ended early."""

    def __enter__(self) -> Self:
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            [self._pid] = cursor.fetchone()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        own = self._connection.copy()  # of this thread
        try:
            with own.cursor() as cursor:
                while not self._is_over.wait(_PAUSE_SECONDS):
                    self._look(cursor)
        except DatabaseError as error:
            self.failure = error
        finally:
            own.close()
            connections.close_all()

    def _look(self, cursor: Any) -> None:
        cursor.execute(_BLOCKERS, [self._pid])
        if rows := cursor.fetchall():
            self.statement = rows[0][0]
            self.waits_for = [Session(*row[1:]) for row in rows]
        cursor.execute(_LONGEST_WAIT, [self._pid])
        waited, statement = cursor.fetchone()
        self.longest_wait_seconds = max(self.longest_wait_seconds, waited)
        if waited >= self._limit_seconds:
            self.statement, self.has_cancelled = statement, True
            cursor.execute("SELECT pg_cancel_backend(%s)", [self._pid])

"""The replica of the database, where reports and exports read.

A replica is a moment behind. What decides about money, or shows somebody what he has just done,
reads the database itself; a report names the database that it reads (``using``), and asks for it
here.
"""

import time
from typing import Final

from django.db import DEFAULT_DB_ALIAS, connections

REPLICA: Final = "replica"
"""The alias of the replica, where there is one (``DATABASE_REPLICA_URL``)."""

_PATIENCE_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.02
_HAS_REPLAYED: Final = """
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
                ELSE pg_current_wal_insert_lsn() END >= %s::pg_lsn
"""


def report_database(*, holding: str | None = None) -> str:
    """The alias that a report reads from: the replica where there is one, else the database.

    The replica may be behind. With a ``committed_position`` it holds all that was committed until
    then: it is waited for, a few seconds, and where it does not come so far it is the database.
    Raises OperationalError when the replica is away.
    """
    if REPLICA not in connections:
        return DEFAULT_DB_ALIAS
    if holding is None or _comes_to(holding):
        return REPLICA
    return DEFAULT_DB_ALIAS


def committed_position() -> str:
    """How far the database has committed by now, for ``report_database``.

    Not what is on its disk by now, which is less where commits do not wait for the disk.
    """
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn()")
        (position,) = cursor.fetchone()
    return str(position)


class ReplicaRouter:
    """Nothing is migrated on the replica: its tables come from the database."""

    def allow_migrate(self, db: str, _app_label: str, **_hints: object) -> bool | None:
        """No to the replica, no opinion on others."""
        return False if db == REPLICA else None


def _comes_to(position: str) -> bool:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not _has_replayed(position):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _has_replayed(position: str) -> bool:
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(_HAS_REPLAYED, [position])
        (has_replayed,) = cursor.fetchone()
    return bool(has_replayed)

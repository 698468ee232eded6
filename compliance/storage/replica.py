"""The read replica, for reports and exports.

A replica is slightly behind. Decisions about money, and pages that show a person's own change, read
the primary. A report passes the alias from ``report_database`` as ``using``.
"""

import time
from typing import Final

from django.db import DEFAULT_DB_ALIAS, connections

from compliance.storage.sessions import DIRECT

REPLICA: Final = "replica"
"""The alias of the replica, if there is one (``DATABASE_REPLICA_URL``)."""

_WAIT_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.02
_HAS_REPLAYED: Final = """
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
                ELSE pg_current_wal_insert_lsn() END >= %s::pg_lsn
"""


def report_database(*, holding: str | None = None) -> str:
    """The alias of the database that a report reads: the replica if there is one.

    With a ``committed_position`` the database holds everything that was committed until then: the
    function waits up to five seconds for the replica, then chooses the primary. Raises
    OperationalError if the replica is unreachable.
    """
    if REPLICA not in connections:
        return DEFAULT_DB_ALIAS
    if holding is None or _reaches(holding):
        return REPLICA
    return DEFAULT_DB_ALIAS


def committed_position() -> str:
    """The write-ahead log position of the primary, for ``report_database``.

    It is the insert position, not that on disk, which is earlier if commits do not wait for it.
    """
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn()")
        (position,) = cursor.fetchone()
    return str(position)


class ReplicaRouter:
    """Excludes the replica, and the connection past a pool, from migrations."""

    def allow_migrate(self, db: str, _app_label: str, **_hints: object) -> bool | None:
        """False for these, None for others."""
        return False if db in {REPLICA, DIRECT} else None


def _reaches(position: str) -> bool:
    deadline = time.monotonic() + _WAIT_SECONDS
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

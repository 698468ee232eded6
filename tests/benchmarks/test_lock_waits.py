"""Waits for locks are seen, and those for the migration told apart."""

from threading import Thread

import psycopg
import pytest

from benchmarks.settlement.lock_waits import MIGRATION, watched_lock_waits
from tests.processes import wait_until

_WAITING = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'rounds_table'::regclass"


@pytest.mark.parametrize("application", [MIGRATION, "worker"])
def test_a_wait_is_seen(fresh_casino: str, application: str) -> None:
    """With its statement; only the migration's locks count as its own."""
    with (
        psycopg.connect(fresh_casino, application_name=application) as holder,
        psycopg.connect(fresh_casino) as waiting,
        psycopg.connect(fresh_casino, autocommit=True) as witness,
        watched_lock_waits(fresh_casino) as waits,
    ):
        holder.execute("LOCK rounds_table")
        thread = Thread(target=waiting.execute, args=("SELECT FROM rounds_table",))
        thread.start()
        wait_until(lambda: witness.execute(_WAITING).rowcount == 1, what="the reader waits")
        wait_until(lambda: waits.longest_seconds > 0, what="the wait is seen")
        holder.rollback()
        thread.join()

    assert waits.longest == "relation, AccessShareLock: SELECT FROM rounds_table"
    assert (waits.for_migration_seconds > 0) == (application == MIGRATION)

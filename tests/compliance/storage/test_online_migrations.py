"""Migrations besides traffic: no lock is waited for long, and what was interrupted is repeated."""

from collections.abc import Iterator
from io import StringIO
from threading import Thread
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from psycopg import errors

from compliance.storage.online_migrations.attempts import Busy, Limits, try_between_traffic
from compliance.storage.partitions import Month, make_months
from tests.databases import migrate
from tests.processes import wait_until

_PARTS_WITHOUT_INDEX = """
    SELECT part.inhrelid::regclass::text
      FROM pg_inherits AS part
     WHERE part.inhparent = 'rounds_round'::regclass
       AND NOT EXISTS (SELECT FROM pg_inherits AS attached JOIN pg_index ON indexrelid = inhrelid
                        WHERE attached.inhparent = 'round_by_receipt'::regclass
                          AND indrelid = part.inhrelid AND indisvalid)
"""
_IS_VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"
_ADVISORY_LOCKS = """
    SELECT count(*) FROM pg_locks JOIN pg_database AS ours ON ours.oid = database
     WHERE locktype = 'advisory' AND datname = current_database()
"""
_WAITS = """
    SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'rounds_table'::regclass
"""
LIMITS = Limits(wait_ms=100, retry_seconds=0)

Session = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture
def session(fresh_casino: str) -> Iterator[Session]:
    """Another session on the test's database, with a name."""
    with psycopg.connect(fresh_casino, application_name="night report") as session:
        yield session


def value(query: str, *arguments: str) -> Any:
    """The value of a query; None without a row."""
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        row = cursor.fetchone()
    return row and row[0]


def migrate_rounds(target: str, *, retry_seconds: float = 60) -> str:
    """Migrates the application, and gives what was said meanwhile."""
    said = StringIO()
    options = {"retry_seconds": retry_seconds, "verbosity": 0, "stderr": said}
    call_command("migrate", "rounds", target, **options)
    return said.getvalue()


@pytest.mark.slow
class TestTheIndexOfAPartitionedTable:
    def test_is_built_in_each_part_and_inherited_by_the_next(self, fresh_casino: str) -> None:
        """As if it had been made with the table."""
        migrate("rounds", "0027")
        assert value(_IS_VALID, "round_by_receipt") is None

        migrate("rounds", "0028")
        made = make_months("rounds_round", [Month(2031, 1)])

        assert len(made) == 1
        assert value(_IS_VALID, "round_by_receipt") is True
        assert value(_PARTS_WITHOUT_INDEX) is None

    def test_is_completed_after_a_kill(self, fresh_casino: str, session: Session) -> None:
        """An index that PostgreSQL left invalid is built again, one that is built stays."""
        migrate("rounds", "0027")
        left, kept = "rounds_round_other_round_by_receipt", "rounds_round_2026_11_round_by_receipt"
        make_months("rounds_round", [Month(2026, 11)])
        with psycopg.connect(fresh_casino, autocommit=True) as killed:
            killed.execute(
                f"CREATE INDEX CONCURRENTLY {kept} ON rounds_round_2026_11 (received_at, id)"
            )
            session.execute("LOCK rounds_round_other IN ROW EXCLUSIVE MODE")
            killed.execute("SET statement_timeout = '200ms'")
            with pytest.raises(errors.QueryCanceled):
                killed.execute(
                    f"CREATE INDEX CONCURRENTLY {left} ON rounds_round_other (received_at, id)"
                )
        session.rollback()
        oid = value("SELECT %s::regclass::oid", kept)
        assert value(_IS_VALID, left) is False

        migrate("rounds", "0028")

        assert value(_IS_VALID, left) is True
        assert value(_IS_VALID, "round_by_receipt") is True
        assert value("SELECT %s::regclass::oid", kept) == oid


@pytest.mark.slow
class TestMigrating:
    def test_gives_up_where_a_session_keeps_its_lock(self, session: Session) -> None:
        """The error names the statement and the session; afterwards it can be run again."""
        migrate("rounds", "0027")
        session.execute("LOCK rounds_round IN ROW EXCLUSIVE MODE")

        with pytest.raises(CommandError) as failed:
            migrate_rounds("0028", retry_seconds=1)
        session.rollback()
        migrate_rounds("0028")

        message = str(failed.value)
        assert "rounds.0028_lists_by_time: No lock within 150 ms for: CREATE INDEX" in message
        assert f"pid {session.info.backend_pid}" in message
        assert "night report" in message
        assert "LOCK rounds_round IN ROW EXCLUSIVE MODE" in message
        assert value(_IS_VALID, "round_by_receipt") is True

    def test_tries_again_until_the_session_has_ended(self, session: Session) -> None:
        """Nobody has to run it again."""
        migrate("rounds", "0027")
        session.execute("LOCK rounds_round IN ROW EXCLUSIVE MODE")
        said = StringIO()

        def ends_once_it_was_said() -> None:
            wait_until(lambda: "Trying again" in said.getvalue(), what="it tries again")
            session.rollback()

        ending = Thread(target=ends_once_it_was_said)
        ending.start()
        call_command("migrate", "rounds", "0028", verbosity=0, stderr=said)
        ending.join()

        assert value(_IS_VALID, "round_by_receipt") is True

    def test_waits_for_another_one(self, session: Session) -> None:
        """Two hosts of one release never migrate at the same time."""
        session.execute("SELECT pg_advisory_lock(hashtextextended('migrate', 0))")

        with pytest.raises(CommandError, match="Another session migrates this database"):
            migrate_rounds("0028", retry_seconds=0)

    def test_leaves_the_session_as_it_was(self, fresh_casino: str) -> None:
        """The limit of waits for locks is that of migrations only."""
        migrate("rounds", "0028")

        assert value("SHOW lock_timeout") == "0"
        assert value(_ADVISORY_LOCKS) == 0


class TestTheGuard:
    @pytest.mark.parametrize(
        "blocked", ["SELECT FROM rounds_table", "UPDATE rounds_table SET code = code"]
    )
    def test_cancels_what_keeps_others_waiting(
        self, fresh_casino: str, session: Session, blocked: str
    ) -> None:
        """A migration that works under its lock is rolled back once somebody has to wait."""
        runs: list[str] = []

        def works_under_a_lock() -> None:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("LOCK rounds_table")
                if not runs:
                    waiting.start()
                runs.append("began")
                cursor.execute("SELECT pg_sleep(60)")

        waiting = Thread(target=lambda: session.execute(blocked))

        with pytest.raises(
            Busy, match=r"Others had to wait for 100 ms because of: SELECT pg_sleep"
        ):
            try_between_traffic(works_under_a_lock, limits=LIMITS, say=print)
        waiting.join()

        assert session.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
        assert runs == ["began"]

    def test_lets_maintenance_wait(self, fresh_casino: str, session: Session) -> None:
        """VACUUM waits for an index that is built; that is no reason to build it again."""
        session.autocommit = True

        def works_until_maintenance_waits() -> None:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("LOCK rounds_table IN SHARE UPDATE EXCLUSIVE MODE")
                waiting.start()
                wait_until(lambda: value(_WAITS) == 1, what="VACUUM waits")
                cursor.execute("SELECT pg_sleep(0.4)")

        waiting = Thread(target=lambda: session.execute("VACUUM rounds_table"))

        waited = try_between_traffic(works_until_maintenance_waits, limits=LIMITS, say=print)
        waiting.join()

        assert waited == 0

    def test_measures_how_long_others_waited(self, fresh_casino: str, session: Session) -> None:
        """Also below the limit."""

        def works_until_somebody_waits() -> None:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("LOCK rounds_table")
                waiting.start()
                wait_until(lambda: value(_WAITS) == 1, what="the reader waits")
                cursor.execute("SELECT pg_sleep(0.2)")

        waiting = Thread(target=lambda: session.execute("SELECT FROM rounds_table"))
        limits = Limits(wait_ms=60_000, retry_seconds=0)

        waited = try_between_traffic(works_until_somebody_waits, limits=limits, say=print)
        waiting.join()

        assert waited > 0

    def test_passes_on_other_errors(self, fresh_casino: str) -> None:
        """Only locks are a reason to try again."""

        def fails() -> None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 / 0")

        with pytest.raises(Exception, match="division by zero"):
            try_between_traffic(fails, limits=LIMITS, say=print)

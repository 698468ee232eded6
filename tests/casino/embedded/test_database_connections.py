"""Database connections: prepared statements, options and health checks."""

import tracemalloc
from uuid import uuid4

import pytest
from django.db import OperationalError, close_old_connections, connection, connections

from compliance.storage.prepared_statements import (
    execute_prepared,
    fetch_rows,
    fetch_rows_after_idle,
)
from tests.casino.api.postgres_messages import sent_to_postgres


@pytest.mark.django_db
class TestAConnection:
    def test_disables_jit(self) -> None:
        """With it, settling 1,000 rounds took four times as long."""
        with connection.cursor() as cursor:
            cursor.execute("SHOW jit")

            assert cursor.fetchone() == ("off",)

    def test_uses_generic_plans(self) -> None:
        """Otherwise partitioned tables are planned for each key."""
        for _ in range(10):
            fetch_rows("SELECT id FROM trail_auditrecord WHERE id = %s", [uuid4()])

        with connection.cursor() as cursor:
            cursor.execute("SELECT generic_plans, custom_plans FROM pg_prepared_statements")

            assert (10, 0) in cursor.fetchall()

    def test_keeps_no_statements_of_djangos(self) -> None:
        """Each has its values in its text: of parts of files a hundred had 200 MB."""
        fetch_rows("SELECT %s::integer", [7])
        with connection.cursor() as cursor:
            tracemalloc.start()
            for number in range(20):
                cursor.execute("SELECT length(%s)", [f"{number}".ljust(1 << 20)])
            kept, _peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()

        assert kept < 5 << 20

    @pytest.mark.parametrize(("is_pooled", "prepared"), [(False, 1), (True, 0)])
    def test_prepares_unless_it_leads_to_a_pool(
        self, monkeypatch: pytest.MonkeyPatch, *, is_pooled: bool, prepared: int
    ) -> None:
        """Its sessions are shared."""
        monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", is_pooled)
        text = f"SELECT %s::integer AS {'pooled' if is_pooled else 'own'}"

        fetch_rows(text, [7])

        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_prepared_statements WHERE statement = %s",
                [text.replace("%s", "$1")],
            )
            assert cursor.fetchone() == (prepared,)


@pytest.mark.usefixtures("fresh_casino")
class TestAConnectionThatIsKept:
    """Across requests."""

    def test_has_no_health_check_of_its_own(self) -> None:
        """The first statement detects a lost connection."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        close_old_connections()

        with sent_to_postgres() as sent:
            fetch_rows_after_idle("SELECT 1", ())
            execute_prepared("SELECT 2", ())

        assert sent.statements == 2

    def test_is_reopened_when_it_was_lost(self) -> None:
        """By the first statement, or by Django's check."""
        counts = []
        for ask in (fetch_rows_after_idle, fetch_rows):
            _lose()
            close_old_connections()
            counts.append(ask("SELECT %s::integer", [7]))

        assert counts == [[(7,)], [(7,)]]

    def test_is_kept_after_a_failed_statement(self) -> None:
        """Only lost connections are retried."""
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 50")
        before = _number()
        close_old_connections()

        with pytest.raises(OperationalError, match="timeout"):
            fetch_rows_after_idle("SELECT pg_sleep(10)", ())

        assert _number() == before


def _lose() -> None:
    """Terminates the connection, as a restart of PostgreSQL does."""
    before = _number()
    outside = connections.create_connection("default")
    with outside.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [before])
    outside.close()


def _number() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [number] = cursor.fetchone()
    return int(number)

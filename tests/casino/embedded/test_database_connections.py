"""Database connections: prepared statements, options and health checks."""

from uuid import uuid4

import pytest
from django.db import OperationalError, close_old_connections, connection, connections

from compliance.storage.prepared_statements import (
    execute_prepared,
    fetch_rows,
    fetch_rows_after_idle,
)
from tests.casino.api.wire import sent_to_postgres


@pytest.mark.django_db
class TestAConnection:
    def test_never_has_its_statements_compiled(self) -> None:
        """Where a server compiles, settling 1,000 rounds took four times as long as without."""
        with connection.cursor() as cursor:
            cursor.execute("SHOW jit")

            assert cursor.fetchone() == ("off",)

    def test_plans_what_is_prepared_once(self) -> None:
        """By itself PostgreSQL plans for each key anew where a table is cut by month."""
        for _ in range(10):
            fetch_rows("SELECT id FROM trail_auditrecord WHERE id = %s", [uuid4()])

        with connection.cursor() as cursor:
            cursor.execute("SELECT generic_plans, custom_plans FROM pg_prepared_statements")

            assert (10, 0) in cursor.fetchall()


@pytest.mark.usefixtures("fresh_casino")
class TestAConnectionThatIsKept:
    """From one call to the next, which begins as Django has calls begin."""

    def test_has_no_health_check_of_its_own(self) -> None:
        """The first statement finds out."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        close_old_connections()

        with sent_to_postgres() as sent:
            fetch_rows_after_idle("SELECT 1", ())
            execute_prepared("SELECT 2", ())

        assert sent.statements == 2

    def test_is_made_anew_where_it_was_lost(self) -> None:
        """By the first statement or, where none is called so, by Django's question."""
        counts = []
        for ask in (fetch_rows_after_idle, fetch_rows):
            _lose()
            close_old_connections()
            counts.append(ask("SELECT %s::integer", [7]))

        assert counts == [[(7,)], [(7,)]]

    def test_of_which_a_statement_is_wrong_is_kept(self) -> None:
        """Only what the loss of a connection refused is asked again."""
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 50")
        before = _number()
        close_old_connections()

        with pytest.raises(OperationalError, match="timeout"):
            fetch_rows_after_idle("SELECT pg_sleep(10)", ())

        assert _number() == before


def _lose() -> None:
    """PostgreSQL ends the connection, as it does when it is started again."""
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

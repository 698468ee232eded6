"""How our connections speak to PostgreSQL."""

from uuid import uuid4

import pytest
from django.db import connection

from compliance.trail.prepared import rows_of


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
            rows_of("SELECT id FROM trail_auditrecord WHERE id = %s", [uuid4()])

        with connection.cursor() as cursor:
            cursor.execute("SELECT generic_plans, custom_plans FROM pg_prepared_statements")

            assert (10, 0) in cursor.fetchall()

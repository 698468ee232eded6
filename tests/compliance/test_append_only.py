"""The database refuses to change what happened."""

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from rounds.models import QueuedRound
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines

pytestmark = pytest.mark.django_db

# What may change: work that waits, balances that follow transfers, names of tables and customers.
_MUTABLE = {
    "rounds_queuedround",
    "payouts_account",
    "rounds_table",
    "rounds_customer",
}
_OURS = {"rounds", "payouts", "trail"}
APPEND_ONLY = sorted(
    model._meta.db_table
    for model in apps.get_models()
    if model._meta.app_label in _OURS and model._meta.db_table not in _MUTABLE
)


def fill_every_table() -> None:
    """A settled round, a held one, a conflict and a quarantined document."""
    open_table()
    other = baccarat_round("r-1", session="M000000000000009")
    ingest(lines(baccarat_round("r-1"), other, held_baccarat_round("r-2"), "{broken"))
    settle()


@pytest.mark.parametrize("table", APPEND_ONLY)
class TestAFactTable:
    @pytest.mark.parametrize("change", ["UPDATE", "DELETE", "TRUNCATE"])
    def test_refuses_every_change(self, table: str, change: str) -> None:
        """Append-only enforced by the database (issue 1, item 7)."""
        fill_every_table()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_name = %s LIMIT 1",
                [table],
            )
            [column] = cursor.fetchone()
        statement = {
            "UPDATE": f"UPDATE {table} SET {column} = {column}",
            "DELETE": f"DELETE FROM {table}",
            "TRUNCATE": f"TRUNCATE {table} CASCADE",
        }[change]
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {table}")
            [rows] = cursor.fetchone()

        if change == "TRUNCATE" or rows:
            with pytest.raises(DatabaseError, match="pgtrigger: Cannot"), transaction.atomic():
                connection.cursor().execute(statement)

        assert QueuedRound.objects.count() == 0

"""The database refuses to change what happened."""

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from tests.casino_in_play import ingest, limit_stakes, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines, shoe

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
    """A settled round, a held one, a conflict, a quarantined document, limits."""
    limit_stakes(open_table(), player=(1, 100_000))
    other = baccarat_round("r-1", session="M000000000000009")
    documents = (shoe("s-1"), baccarat_round("r-1"), other, held_baccarat_round("r-2"), "{broken")
    ingest(lines(*documents))
    settle()


@pytest.mark.parametrize("table", APPEND_ONLY)
class TestAFactTable:
    @pytest.mark.parametrize("change", ["UPDATE", "DELETE", "TRUNCATE"])
    def test_refuses_every_change(self, table: str, change: str) -> None:
        """Append-only enforced by the database (issue 1, item 7)."""
        fill_every_table()
        cursor = connection.cursor()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # else these would refuse a TRUNCATE first
        cursor.execute(f"SELECT * FROM {table} LIMIT 1")
        column = cursor.description[0].name
        statement = {
            "UPDATE": f"UPDATE {table} SET {column} = {column}",
            "DELETE": f"DELETE FROM {table}",
            "TRUNCATE": f"TRUNCATE {table} CASCADE",
        }[change]

        with pytest.raises(DatabaseError, match="pgtrigger: Cannot"), transaction.atomic():
            cursor.execute(statement)

        cursor.execute(f"SELECT count(*) FROM {table}")
        assert cursor.fetchone()[0] > 0

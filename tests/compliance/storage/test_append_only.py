"""The database rejects changes of append-only tables."""

from typing import Final

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper

from tests.compliance.storage.append_only_tables import APPEND_ONLY
from tests.compliance.storage.filled_tables import fill_every_table
from tests.compliance.trail.lost_logs import invent_gap

pytestmark = pytest.mark.django_db
_CHANGES: Final = ("UPDATE {0} SET {1} = {1}", "DELETE FROM {0}", "TRUNCATE {0} CASCADE")


class TestFactTables:
    @pytest.mark.slow
    def test_refuse_every_change(self) -> None:
        """By triggers (issue 1, item 7)."""
        fill_every_table()
        invent_gap()
        with connection.cursor() as cursor:
            # Else these would refuse a TRUNCATE first.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            empty = [table for table in APPEND_ONLY if _first_column(cursor, table) is None]
            changed = [
                change.format(table, _first_column(cursor, table))
                for table in APPEND_ONLY
                for change in _CHANGES
                if not _refuses(cursor, change.format(table, _first_column(cursor, table)))
            ]

        assert empty == []  # a row that is not there is refused nothing
        assert changed == []


def _first_column(cursor: CursorWrapper, table: str) -> str | None:
    """The first column; None for an empty table."""
    cursor.execute(f"SELECT * FROM {table} LIMIT 1")
    return cursor.description[0].name if cursor.fetchone() else None


def _refuses(cursor: CursorWrapper, statement: str) -> bool:
    """Whether a trigger refuses the statement, which is rolled back."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                cursor.execute(statement)
        except DatabaseError as error:
            return "pgtrigger: Cannot" in str(error)
        transaction.set_rollback(True)
    return False

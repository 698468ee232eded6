"""Databases into which restore_month brings no month, with nothing left behind."""

import os

import pytest

from compliance.archive.moved_months.months_apart import MonthInUse
from compliance.archive.moved_months.referred_rows import MAY_CHANGE
from compliance.archive.moved_months.restore_month import MonthNotRestored
from compliance.storage.append_only import is_append_only
from compliance.storage.database_roles.role import DatabaseRole
from compliance.storage.managed_models import managed_models
from compliance.storage.month_tables import NotOwner
from tests.compliance.archive.archived_months import MONTH, Archived
from tests.compliance.archive.reading_sessions import reading
from tests.compliance.archive.removable_months import detach, execute, nothing_changes, restore
from tests.databases import connected_as
from tests.payouts.reconciliation.five_games import tamper


class TestTheDatabase:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("change", "text"),
        [
            (
                "UPDATE rounds_customer SET pseudonym = 'p-forged' WHERE id = 1",
                "rounds_customer, id 1: found pseudonym 'p-forged'; needed pseudonym 'p-",
            ),
            (
                "DELETE FROM rounds_storedruling",
                "rounds_storedruling, .*: found no row; needed that of the archive",
            ),
            (
                "UPDATE rounds_stakelimit SET max_cents = max_cents + 1 WHERE id = 1",
                "rounds_stakelimit, id 1: found max_cents '[0-9]+'; needed max_cents '",
            ),
            (
                "UPDATE rounds_table SET code = 'other' WHERE id = 1",
                "rounds_table, id 1: found code 'other'; needed code '",
            ),
        ],
    )
    def test_with_another_row_that_rounds_refer_to_is_refused(
        self, change: str, text: str, detached: Archived
    ) -> None:
        """With the table, the key, what was found and what is needed."""
        tamper(change)

        with nothing_changes(), pytest.raises(MonthNotRestored, match=text):
            restore(detached)

    @pytest.mark.slow
    def test_with_a_table_of_another_name_is_accepted(self, detached: Archived) -> None:
        """What may change for later rounds; all other rows are permanent."""
        tamper("UPDATE rounds_table SET name = 'Other', rules = 'x/1', version = 2 WHERE id = 1")

        restore(detached)

        tables = {model._meta.db_table: model for model in managed_models()}
        assert [name for name in MAY_CHANGE if is_append_only(tables[name])] == []

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "change",
        [
            """
            INSERT INTO rounds_validation_2026_11
            SELECT round_id, 9, status, anomalies, validated_at, actor
              FROM rounds_validation_2026_11 WHERE sequence = 1 LIMIT 1
            """,
            "UPDATE rounds_validation_2026_11 SET status = 'validated'",
            "DELETE FROM rounds_validation_2026_11 WHERE status = 'held'",
        ],
    )
    def test_with_other_rows_in_a_detached_table_is_refused(
        self, change: str, removable: Archived
    ) -> None:
        """A row too many, too few, or another value: the owner may change a table apart."""
        detach(removable)
        execute(change)

        with (
            nothing_changes(),
            pytest.raises(MonthNotRestored, match="rounds_validation_2026_11: found rows of SHA"),
        ):
            restore(removable)

    @pytest.mark.slow
    def test_with_a_strange_trigger_on_a_detached_table_is_refused(
        self, removable: Archived
    ) -> None:
        """verify_schema would name it."""
        detach(removable)
        execute(
            "CREATE TRIGGER mine BEFORE INSERT ON rounds_bet_2026_11 FOR EACH ROW"
            " EXECUTE FUNCTION suppress_redundant_updates_trigger()"
        )

        with nothing_changes(), pytest.raises(MonthNotRestored, match="trigger mine on rounds_bet"):
            restore(removable)

    @pytest.mark.parametrize(
        "change",
        [
            "ALTER TABLE rounds_bet_2026_11 DROP COLUMN play",
            "ALTER TABLE rounds_bet_2026_11 ADD COLUMN more int",
            "ALTER TABLE rounds_bet_2026_11 ALTER COLUMN stake_cents DROP NOT NULL",
        ],
    )
    def test_with_other_columns_of_a_detached_table_is_refused(
        self, change: str, removable: Archived
    ) -> None:
        """It cannot be a partition any more."""
        detach(removable)
        execute(change)

        with nothing_changes(), pytest.raises(MonthNotRestored, match="column"):
            restore(removable)

    def test_with_something_else_of_the_name_is_refused(self, detached: Archived) -> None:
        """A view shows what somebody else decides."""
        execute("CREATE VIEW rounds_bet_2026_11 AS SELECT * FROM rounds_bet")

        with nothing_changes(), pytest.raises(MonthNotRestored, match="rounds_bet_2026_11: found"):
            restore(detached)

    def test_with_rows_of_the_month_elsewhere_is_refused(self, detached: Archived) -> None:
        """A row that arrived meanwhile lies in the default partition."""
        execute(
            "INSERT INTO rounds_validation (round_id, sequence, status, anomalies, validated_at,"
            f" actor) VALUES ('{MONTH.first_key}', 1, 'held', '{{}}', now(), 'x')"
        )

        with nothing_changes(), pytest.raises(MonthNotRestored, match="default partition"):
            restore(detached)

    def test_that_has_the_month_is_refused(self, removable: Archived) -> None:
        """There is nothing to restore."""
        with nothing_changes(), pytest.raises(MonthNotRestored, match="needed a missing one"):
            restore(removable)

    def test_in_which_somebody_reads_is_left_after_five_seconds(self, detached: Archived) -> None:
        """Others do not wait behind a command that waits."""
        with (
            reading("SELECT FROM rounds_bet_other"),
            nothing_changes(),
            pytest.raises(MonthInUse, match="found tables in use"),
        ):
            restore(detached)

        restore(detached)

    def test_in_which_another_month_is_moved_is_refused(self, detached: Archived) -> None:
        """At once."""
        with (
            reading("SELECT pg_advisory_xact_lock(hashtextextended('months apart', 0))"),
            nothing_changes(),
            pytest.raises(MonthInUse, match="found another month"),
        ):
            restore(detached)


@pytest.mark.parametrize("role", list(DatabaseRole))
def test_no_role_but_the_owner_moves_months(role: DatabaseRole, removable: Archived) -> None:
    """Named, with the one that is needed."""
    for move in (detach, restore):
        with connected_as(role, os.environ["DATABASE_URL"]), pytest.raises(NotOwner, match=role):
            move(removable)

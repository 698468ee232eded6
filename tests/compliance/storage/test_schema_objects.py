"""Changes of triggers, functions, constraints, owners and rights in the database are reported."""

from typing import Final

import pgtrigger
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from casino.tasks import verify_schema_task
from compliance.storage.database_roles.compare import grant_differences
from compliance.storage.partitions import Month, make_months, months_of
from compliance.storage.schema_objects.compare import schema_object_differences
from compliance.storage.schema_objects.declared import declared_functions, declared_triggers
from compliance.trail.models import AuditRecord
from payouts.integrity.verify_schema import schema_differences
from payouts.stuck_work.models import FailingTask
from tests.compliance.storage.schema_changes import (
    DECIDED,
    ROLE,
    STEPS,
    WEB,
    attacks,
    constraints,
    grants,
    pgid,
)
from tests.databases import migrate

_PARTS: Final = """
    SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = to_regclass('rounds_bet') ORDER BY relname
"""


def run(statement: str) -> None:
    """Runs SQL as the owner of the tables, or as a superuser."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


def named() -> list[str]:
    """The differing objects."""
    return [difference.item for difference in schema_differences()]


@pytest.fixture
def role(db: None) -> str:
    """Another role than the owner, until the rollback."""
    run(f"CREATE ROLE {ROLE} LOGIN")
    return ROLE


@pytest.fixture
def part(db: None) -> str:
    """A partition of a table."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTS)
        return str(cursor.fetchall()[0][0])


@pytest.mark.django_db
class TestTheGuards:
    def test_are_all_there_after_migrating(self) -> None:
        """Triggers of all models and partitions, and all functions."""
        assert schema_object_differences() == []
        assert len(declared_triggers()) > 200
        assert {"rounds_claim", "trail_make_partition", "_pgtrigger_should_ignore"} <= set(
            declared_functions()
        )

    def test_are_missed_when_dropped(self) -> None:
        """Every trigger of every model."""
        for table, name in declared_triggers():
            run(f"DROP TRIGGER {name} ON {table}")

        missed = set(named())

        assert {f"trigger {name} on {table}" for table, name in declared_triggers()} <= missed

    def test_are_missed_where_their_functions_do_nothing(self) -> None:
        """Emptied functions under unchanged triggers."""
        functions = sorted({name for _table, name in declared_triggers()})
        for name in functions:
            run(
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
                " SET search_path = public, pg_temp AS 'BEGIN RETURN NEW; END'"
            )

        assert named() == [f"function {name}" for name in functions]

    def test_of_a_month_made_later_are_there(self) -> None:
        """A new partition has the triggers."""
        make_months("rounds_bet", [Month(2031, 2)])

        assert schema_object_differences() == []
        assert Month(2031, 2) in months_of("rounds_bet")


@pytest.mark.usefixtures("role")
class TestAGuard:
    @pytest.mark.parametrize(("statement", "guard"), [*attacks(), *constraints(), *grants()])
    def test_that_is_altered_is_named_alone(self, part: str, statement: str, guard: str) -> None:
        """Unchanged objects are not reported."""
        owner = connection.settings_dict["USER"] or "postgres"
        places = {"part": part, "database": connection.settings_dict["NAME"], "owner": owner}
        run(_placed(statement, places))

        named_one = _placed(guard, places)
        assert {named_one} <= set(named()) <= {named_one, f"rights of PUBLIC on {named_one}"}

    def test_that_is_disabled_with_all_of_its_table_is_named(self) -> None:
        """Triggers of foreign keys are disabled, too."""
        run(f"ALTER TABLE {STEPS} DISABLE TRIGGER ALL")

        differing = named()

        assert f"trigger {pgid(STEPS, DECIDED)} on {STEPS}" in differing
        assert any(item.startswith("foreign key ") and item.endswith(STEPS) for item in differing)

    def test_that_somebody_reads_is_no_difference(self) -> None:
        """A role of somebody else's may read what the reader may."""
        run(f"GRANT SELECT ON {STEPS}, payouts_transfer, trail_auditrecord TO {ROLE}")

        assert grant_differences() == []

    def test_is_given_back_its_rights_by_the_command(self) -> None:
        """Additional grants are revoked."""
        run(f"GRANT UPDATE (action) ON {STEPS} TO {WEB}")
        run(f"GRANT EXECUTE ON FUNCTION trail_guard_partition TO {WEB}")
        run(f"GRANT TRUNCATE ON ALL TABLES IN SCHEMA public TO {WEB}")
        run(f"GRANT UPDATE ON SEQUENCE trail_batch TO {WEB}")

        call_command("grant_database_roles")

        assert grant_differences() == []


def _placed(text: str, places: dict[str, str]) -> str:
    for name, value in places.items():
        text = text.replace(f"{{{name}}}", value)
    return text


@pytest.mark.usefixtures("fresh_casino")
class TestAMigration:
    @pytest.mark.slow
    def test_leaves_guards_that_cannot_be_bypassed(self) -> None:
        """django-pgtrigger's own functions obey a session setting."""
        pgtrigger.install()
        before = named()
        migrate()

        assert "function _pgtrigger_should_ignore" in before
        assert named() == []


@pytest.mark.usefixtures("fresh_casino")
class TestTheComparison:
    def take_away(self) -> str:
        """Drops an object; returns its name."""
        name = pgid(STEPS, DECIDED)
        with transaction.atomic():
            run(f"ALTER TABLE {STEPS} DISABLE TRIGGER {name}")
        return f"trigger {name} on {STEPS}: found it disabled; needed enabled"

    def test_reports_no_difference(self, capsys: pytest.CaptureFixture[str]) -> None:
        """And changes nothing."""
        call_command("verify_schema")
        verify_schema_task.apply()

        assert "triggers, functions and constraints match the code" in capsys.readouterr().out
        assert not AuditRecord.objects.exists()
        assert not FailingTask.objects.exists()

    @pytest.mark.slow
    def test_ends_with_an_error_and_every_difference(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """``manage.py verify_schema`` and ``verify_trail``."""
        difference = self.take_away()

        with pytest.raises(
            CommandError, match="1 triggers, functions, constraints or rights differ"
        ):
            call_command("verify_schema")
        with pytest.raises(CommandError) as wrong:
            call_command("verify_trail")

        assert difference in capsys.readouterr().err
        assert str(wrong.value) == f"first fault: {difference}"

    def test_is_recorded_and_stuck_work_if_it_fails_at_night(self) -> None:
        """The failing task is an exception until the schema is repaired."""
        difference = self.take_away()

        verify_schema_task.apply()
        failing = FailingTask.objects.get()
        record = AuditRecord.objects.get(action="SCHEMA_DIFFERS")
        run(f"ALTER TABLE {STEPS} ENABLE TRIGGER ALL")
        verify_schema_task.apply()

        assert difference in failing.last_error
        assert failing.recovered_at is None
        assert not failing.takes_arguments
        assert record.details == {"count": 1, "differences": [difference]}
        assert FailingTask.objects.get().recovered_at is not None
        actions = AuditRecord.objects.order_by("id").values_list("action", flat=True)
        assert list(actions) == ["SCHEMA_DIFFERS", "INTEGRITY_CHECK_FAILED"]

"""Changes of triggers, functions, constraints, owners and rights in the database are reported."""

from collections.abc import Iterator
from typing import Final

import pgtrigger
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from casino.tasks import verify_schema_task
from compliance.storage.database_roles.compare import grant_differences
from compliance.storage.database_roles.role import DatabaseRole, role_name
from compliance.storage.partitions import Month, make_months, months_of
from compliance.storage.schema_objects.compare import schema_object_differences
from compliance.storage.schema_objects.declared import declared_functions, declared_triggers
from compliance.trail.models import AuditRecord
from payouts.integrity.verify_schema import schema_differences
from payouts.stuck_work.models import FailingTask
from tests.databases import migrate

STEPS: Final = "payouts_casestep"
_PARTS: Final = """
    SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = to_regclass('rounds_bet') ORDER BY relname
"""
ROLE: Final = "somebody"
WEB: Final = role_name(DatabaseRole.WEB)


def pgid(table: str, name: str) -> str:
    """A trigger of a table, and its function."""
    return next(trigger for of, trigger in declared_triggers() if of == table and name in trigger)


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


DECIDED: Final = "case_decided_by_another"
"""The trigger of the four eyes."""
_EMPTY: Final = "AS 'BEGIN RETURN NEW; END' LANGUAGE plpgsql"


def attacks() -> Iterator[tuple[str, str]]:
    """Changes by an owner, with the object to be reported."""
    four_eyes = pgid(STEPS, DECIDED)
    trigger, function = f"trigger {four_eyes} on {STEPS}", f"function {four_eyes}"
    alter = f"ALTER TABLE {STEPS}"
    again = f"DROP TRIGGER {four_eyes} ON {STEPS}; CREATE TRIGGER {four_eyes}"
    for_each_row = f"ON {STEPS} FOR EACH ROW"
    condition = "WHEN (NEW.action IN ('approved', 'rejected'))"
    yield f"DROP TRIGGER {four_eyes} ON {STEPS}", trigger
    yield f"{alter} DISABLE TRIGGER {four_eyes}", trigger
    yield f"{alter} ENABLE REPLICA TRIGGER {four_eyes}", trigger
    yield (
        f"{again} BEFORE INSERT {for_each_row} WHEN (false) EXECUTE FUNCTION {four_eyes}()",
        trigger,
    )
    narrow = "WHEN (NEW.action IN ('approved'))"
    yield f"{again} BEFORE INSERT {for_each_row} {narrow} EXECUTE FUNCTION {four_eyes}()", trigger
    yield (
        f"{again} BEFORE UPDATE {for_each_row} {condition} EXECUTE FUNCTION {four_eyes}()",
        trigger,
    )
    other = pgid(STEPS, "no_update")
    yield f"{again} BEFORE INSERT {for_each_row} {condition} EXECUTE FUNCTION {other}()", trigger
    replace = f"CREATE OR REPLACE FUNCTION {four_eyes}() RETURNS trigger"
    yield f"{replace} SET search_path = public, pg_temp {_EMPTY}", function
    yield f"ALTER FUNCTION {four_eyes}() RESET search_path", function
    yield f"ALTER FUNCTION {four_eyes}() SET search_path = pg_temp, public", function
    yield f"ALTER FUNCTION {four_eyes}() SECURITY DEFINER", function
    yield f"ALTER FUNCTION {four_eyes}() SET pgtrigger.ignore = '{{{four_eyes}}}'", function
    yield f"ALTER FUNCTION {four_eyes}() OWNER TO {ROLE}", function
    yield f"ALTER TABLE {STEPS} OWNER TO {ROLE}", f"table {STEPS}"
    yield (
        f"CREATE RULE quiet AS ON INSERT TO {STEPS} DO INSTEAD NOTHING",
        f"rule quiet on {STEPS}",
    )
    yield (
        f"CREATE TRIGGER mine BEFORE INSERT {for_each_row} EXECUTE FUNCTION {other}()",
        (f"trigger mine on {STEPS}"),
    )
    yield (
        "CREATE FUNCTION mine() RETURNS void SECURITY DEFINER LANGUAGE sql AS ''",
        "function mine",
    )
    yield "DROP FUNCTION rounds_claim", "function rounds_claim"
    yield "ALTER FUNCTION rounds_closed_to() RESET ALL", "function rounds_closed_to"
    yield (
        "CREATE FUNCTION trail_key(one text) RETURNS text LANGUAGE sql AS 'SELECT one'",
        "function trail_key",
    )
    yield (
        "ALTER DATABASE {database} SET session_replication_role = replica",
        "setting of every role in {database}",
    )
    yield (
        f"ALTER ROLE {ROLE} SET session_replication_role = replica",
        f"setting of {ROLE} in every database",
    )
    yield f"{alter} ENABLE ROW LEVEL SECURITY", f"row security of {STEPS}"
    yield f"CREATE POLICY mine ON {STEPS} USING (true)", f"row security of {STEPS}"
    truncate = pgid("rounds_bet", "no_truncate")
    yield f"DROP TRIGGER {truncate} ON {{part}}", f"trigger {truncate} on {{part}}"
    update = pgid("rounds_bet", "no_update")
    yield f"ALTER TABLE {{part}} DISABLE TRIGGER {update}", f"trigger {update} on {{part}}"


def constraints() -> Iterator[tuple[str, str]]:
    """Constraints that are dropped or weakened, and how they are named."""
    yield (
        f"ALTER TABLE {STEPS} DROP CONSTRAINT {STEPS}_pkey",
        f"primary key (case_id, sequence) of {STEPS}",
    )
    transfer = "check transfer_moves_money on payouts_transfer"
    drop = "ALTER TABLE payouts_transfer DROP CONSTRAINT transfer_moves_money"
    yield drop, transfer
    yield f"{drop}, ADD CONSTRAINT transfer_moves_money CHECK (amount_cents > -1)", transfer
    count = "case_steps_count_from_one"
    drop = f"ALTER TABLE {STEPS} DROP CONSTRAINT {count}"
    yield (
        f"{drop}, ADD CONSTRAINT {count} CHECK (sequence >= 1) NOT VALID",
        f"check {count} on {STEPS}",
    )
    yield (
        "ALTER TABLE payouts_dayclosing DROP CONSTRAINT closing_of_a_closed_day",
        "foreign key (day) of payouts_dayclosing to rounds_closedday (day)",
    )
    drop, unique = "DROP INDEX dispute_reopened_once", "unique (dispute_id) of payouts_disputestep"
    create = "CREATE UNIQUE INDEX dispute_reopened_once ON payouts_disputestep (dispute_id)"
    yield drop, unique
    yield f"{drop}; {create} WHERE action = 'nothing'", unique


def grants() -> Iterator[tuple[str, str]]:
    """Rights that somebody was given, and how they are named."""
    yield f"GRANT UPDATE ON {STEPS} TO {ROLE}", f"rights of {ROLE} on {STEPS}"
    yield f"GRANT UPDATE (action) ON {STEPS} TO {ROLE}", f"rights of {ROLE} on {STEPS}"
    yield f"GRANT TRIGGER ON {STEPS} TO {ROLE}", f"rights of {ROLE} on {STEPS}"
    yield f"GRANT SELECT ON {STEPS} TO PUBLIC", f"rights of PUBLIC on {STEPS}"
    yield f"GRANT TRUNCATE ON {{part}} TO {ROLE}", f"rights of {ROLE} on {{part}}"
    yield f"GRANT UPDATE ON SEQUENCE trail_batch TO {ROLE}", f"rights of {ROLE} on trail_batch"
    yield (
        f"GRANT EXECUTE ON FUNCTION trail_guard_partition TO {ROLE}",
        f"rights of {ROLE} on function trail_guard_partition",
    )
    yield (
        "GRANT EXECUTE ON FUNCTION trail_make_partition TO PUBLIC",
        "rights of PUBLIC on function trail_make_partition",
    )
    yield f"GRANT CREATE ON SCHEMA public TO {ROLE}", f"rights of {ROLE}"
    yield f"GRANT CREATE ON DATABASE {{database}} TO {ROLE}", f"rights of {ROLE}"
    yield f"ALTER DEFAULT PRIVILEGES GRANT INSERT ON TABLES TO {ROLE}", f"rights of {ROLE}"
    yield f"GRANT SELECT ON auth_user TO {ROLE}", f"rights of {ROLE} on auth_user"
    yield f"GRANT INSERT ON payouts_settlement TO {WEB}", f"rights of {WEB} on payouts_settlement"
    yield f"GRANT UPDATE ON {STEPS} TO {WEB}", f"rights of {WEB} on {STEPS}"
    yield f"REVOKE INSERT ON {STEPS} FROM {WEB}", f"rights of {WEB} on {STEPS}"
    yield (
        f"GRANT EXECUTE ON FUNCTION trail_make_partition TO {WEB}",
        f"rights of {WEB} on function trail_make_partition",
    )
    yield f"ALTER ROLE {WEB} BYPASSRLS", f"rights of {WEB}"
    yield f"GRANT {role_name(DatabaseRole.WORKER)} TO {WEB}", f"rights of {WEB}"
    yield f"GRANT SET ON PARAMETER session_replication_role TO {ROLE}", f"rights of {ROLE}"
    yield f"GRANT SELECT ON {STEPS} TO {ROLE}; GRANT {{owner}} TO {ROLE}", f"rights of {ROLE}"


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

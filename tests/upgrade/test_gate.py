"""The gate of ``make check`` refuses each kind of migration that is unsafe besides traffic."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import pytest
from django.contrib.postgres import operations as postgres
from django.db import migrations, models
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.functions import Now

from compliance.storage.online_migrations.indexes import AddIndexOnline, RemoveIndexOnline
from tests.upgrade.gate import migrations as gate
from tests.upgrade.gate.migrations import History, faults_of, faults_of_clone
from tests.upgrade.previous_release import released_migrations

Columns: TypeAlias = "models.Field[Any, Any]"

INDEX: Final = models.Index(fields=["code"], name="by_code")
POSITIVE: Final = models.CheckConstraint(condition=models.Q(seats__gt=0), name="has_seats")
ONE_CODE: Final = models.UniqueConstraint(fields=["code"], name="one_code")

CHANGED: Final = "is released, and was changed: databases have it as it was"


def table_before() -> ProjectState:
    """A release with a table, as migrations see it."""
    state = ProjectState()
    fields: list[tuple[str, Columns]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("code", models.CharField(max_length=16)),
        ("seats", models.IntegerField(null=True)),
    ]
    migrations.CreateModel("Table", fields).state_forwards("rounds", state)
    return state


def faults(*operations: Operation, atomic: bool = True, **attributes: Any) -> str:
    """What the gate says about a migration of these operations that follows the release."""
    members = {"operations": list(operations), "atomic": atomic, **attributes}
    migration = type("Migration", (migrations.Migration,), members)("0099_next", "rounds")
    return "\n".join(faults_of(migration, History(table_before(), [])))


def separated(*, database: list[Operation], state: list[Operation]) -> Operation:
    """The two sides of an operation."""
    return migrations.SeparateDatabaseAndState(database, state)


def add(name: str, field: Columns) -> Operation:
    """Adds a column to the table."""
    return migrations.AddField("table", name, field)


def alter(name: str, field: Columns) -> Operation:
    """Changes a column of the table."""
    return migrations.AlterField("table", name, field)


def nothing(_apps: object, _editor: object) -> None:
    """A step in Python."""


REFUSED: Final[Mapping[str, tuple[Operation, str]]] = {
    "an index": (migrations.AddIndex("table", INDEX), "AddIndexOnline"),
    "an index removed": (migrations.RemoveIndex("table", "by_code"), "RemoveIndexOnline"),
    "an index online in a transaction": (AddIndexOnline("table", INDEX), "atomic = False"),
    "a check": (migrations.AddConstraint("table", POSITIVE), "AddConstraintNotValid"),
    "a unique constraint": (migrations.AddConstraint("table", ONE_CODE), "UNIQUE INDEX CONCURR"),
    "a column that older code leaves out": (add("x", models.TextField(default="")), "db_default"),
    "a computed default": (
        add("x", models.DateTimeField(db_default=Now())),
        "computed for each row",
    ),
    "a unique column": (add("x", models.TextField(null=True, unique=True)), "unique builds an"),
    "an indexed column": (add("x", models.TextField(null=True, db_index=True)), "db_index=False"),
    "a reference with its index": (
        add("x", models.ForeignKey("rounds.table", models.PROTECT, null=True)),
        "db_index=False",
    ),
    "a generated column": (
        add(
            "x",
            models.GeneratedField(
                expression=models.F("seats") + 1,
                output_field=models.IntegerField(),
                db_persist=True,
            ),
        ),
        "rewrites the table",
    ),
    "NOT NULL": (alter("seats", models.IntegerField()), "null is changed"),
    "another type": (alter("seats", models.BigIntegerField(null=True)), "BigIntegerField"),
    "a shorter text": (alter("code", models.CharField(max_length=8)), "max_length is changed"),
    "a column removed": (migrations.RemoveField("table", "seats"), "in its state only"),
    "a table removed": (migrations.DeleteModel("Table"), "in its state only"),
    "a column renamed": (migrations.RenameField("table", "code", "name"), "old name"),
    "a table renamed": (migrations.RenameModel("Table", "Desk"), "old name"),
    "a column no longer written": (
        separated(database=[], state=[migrations.RemoveField("table", "code")]),
        "INSERTs without it would fail",
    ),
    "an index behind a state": (
        separated(database=[migrations.AddIndex("table", INDEX)], state=[]),
        "AddIndexOnline",
    ),
    "an operation that nobody judged": (
        migrations.AlterUniqueTogether("table", {("code", "seats")}),
        "does not know AlterUniqueTogether",
    ),
    "SQL: an index": (
        migrations.RunSQL("CREATE INDEX a ON rounds_table (code)"),
        "require-concurrent-index-creation",
    ),
    "SQL: a column dropped": (
        migrations.RunSQL("ALTER TABLE rounds_table DROP COLUMN seats"),
        "ban-drop-column",
    ),
    "SQL: a check": (
        migrations.RunSQL("ALTER TABLE rounds_table ADD CONSTRAINT a CHECK (seats > 0)"),
        "constraint-missing-not-valid",
    ),
    "SQL: a reference": (
        migrations.RunSQL(
            "ALTER TABLE a ADD CONSTRAINT b FOREIGN KEY (c) REFERENCES rounds_table (id)"
        ),
        "adding-foreign-key-constraint",
    ),
    "SQL: another type": (
        migrations.RunSQL("ALTER TABLE rounds_table ALTER COLUMN seats TYPE bigint"),
        "changing-column-type",
    ),
    "SQL: NOT NULL": (
        migrations.RunSQL("ALTER TABLE rounds_table ALTER COLUMN seats SET NOT NULL"),
        "adding-not-nullable-field",
    ),
    "SQL: a lock": (migrations.RunSQL(["LOCK TABLE rounds_table"]), "LOCK"),
    "SQL: all rows": (
        migrations.RunSQL([("SELECT 1; UPDATE rounds_table SET seats = %s", [7])]),
        "UPDATE",
    ),
}

ALLOWED: Final[Mapping[str, Operation]] = {
    "a table": migrations.CreateModel(
        "Seat",
        [
            ("id", models.BigAutoField(primary_key=True)),
            ("table", models.ForeignKey("rounds.table", models.PROTECT)),
        ],
    ),
    "a nullable column": add("x", models.TextField(null=True)),
    "a column with a constant": add("x", models.BooleanField(db_default=False)),
    "a reference without an index": add(
        "x", models.ForeignKey("rounds.table", models.PROTECT, null=True, db_index=False)
    ),
    "words of a column": alter("code", models.CharField("code", max_length=16, help_text="a")),
    "a longer text": alter("code", models.CharField(max_length=32)),
    "a column that may be empty": alter("code", models.CharField(max_length=16, null=True)),
    "a default of new rows": alter("seats", models.IntegerField(null=True, db_default=7)),
    "a check of new rows": postgres.AddConstraintNotValid("table", POSITIVE),
    "a check of all rows": postgres.ValidateConstraint("table", "has_seats"),
    "a step in Python": migrations.RunPython(nothing),
    "a column no longer used": separated(
        database=[], state=[migrations.RemoveField("table", "seats")]
    ),
    "a function": migrations.RunSQL(
        "CREATE OR REPLACE FUNCTION a() RETURNS int LANGUAGE sql AS $$ SELECT 1; SELECT 2 $$"
    ),
}


class TestAMigrationOfATableInUse:
    @pytest.mark.parametrize("kind", REFUSED)
    def test_is_refused(self, kind: str) -> None:
        """The text says what to do instead."""
        operation, expected = REFUSED[kind]

        assert expected in faults(operation)

    @pytest.mark.parametrize("kind", ALLOWED)
    def test_is_allowed(self, kind: str) -> None:
        """Only the catalogue changes, or nobody is kept waiting."""
        assert faults(ALLOWED[kind]) == ""

    def test_may_change_a_table_that_it_creates(self) -> None:
        """Nobody uses it yet."""
        create = migrations.CreateModel("Seat", [("code", models.TextField(primary_key=True))])
        by_code = models.Index(fields=["code"], name="seat_by_code")

        by_index = migrations.AddIndex("seat", by_code)

        assert faults(create, by_index) == ""
        assert faults(create, migrations.RunPython(nothing), by_index) == ""

    def test_runs_long_steps_alone(self) -> None:
        """They would run under the locks of the operations before them."""
        column = add("x", models.TextField(null=True))

        assert "a migration of its own" in faults(column, migrations.RunPython(nothing))
        assert "a migration of its own" in faults(
            postgres.AddConstraintNotValid("table", POSITIVE),
            postgres.ValidateConstraint("table", "has_seats"),
        )


class TestAMigrationWithoutATransaction:
    def test_may_build_and_drop_indexes(self) -> None:
        """Each can be repeated."""
        operations = (RemoveIndexOnline("table", "by_seats"), AddIndexOnline("table", INDEX))

        assert faults(*operations, atomic=False) == ""

    def test_is_refused_if_it_cannot_be_repeated(self) -> None:
        """After a failure in its middle it would fail forever."""
        column = add("x", models.TextField(null=True))
        index = migrations.RunSQL("CREATE INDEX CONCURRENTLY a ON rounds_table (code)")

        assert "cannot be repeated" in faults(column, atomic=False)
        assert "prefer-robust-stmts" in faults(index, atomic=False)


class TestWhatThePreviousReleaseNoLongerUses:
    def test_may_be_dropped_if_it_is_named(self) -> None:
        """The state of that release has no such column."""
        drop = migrations.RunSQL("ALTER TABLE rounds_table DROP COLUMN dealer")

        assert faults(drop, contracts=["rounds.table.dealer"]) == ""

    def test_may_not_be_dropped_while_it_uses_it(self) -> None:
        """It has the column, so its statements name it."""
        drop = migrations.RunSQL("ALTER TABLE rounds_table DROP COLUMN seats")

        assert faults(drop, contracts=["rounds.table.seats"]) == (
            "contracts rounds.table.seats: the previous release still uses it"
        )


@pytest.mark.slow
class TestTheMigrationsOfThisClone:
    def test_are_judged_from_the_previous_release_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """An older one, as if it were new: two kinds of faults, and a name that is unknown."""
        released = dict(released_migrations())
        del released["payouts/migrations/0045_cancelled_uploads.py"]
        monkeypatch.setattr(gate, "released_migrations", lambda: released)

        found = faults_of_clone()

        assert len(found) == 3
        assert all(fault.startswith("payouts/migrations/0045_c") for fault in found)

    def test_are_not_changed_once_released(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Databases have them as they were."""
        released = dict(released_migrations())
        released["payouts/migrations/0044_comments.py"] += b"# otherwise\n"
        released["payouts/migrations/0043_gone.py"] = b""
        monkeypatch.setattr(gate, "released_migrations", lambda: released)

        assert faults_of_clone() == [
            f"payouts/migrations/0044_comments.py: {CHANGED}",
            "payouts/migrations/0043_gone.py: is released, and is gone",
        ]

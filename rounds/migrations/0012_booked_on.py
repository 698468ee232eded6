import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

# One number for all of Sabot; nobody else takes advisory locks by a number of their own.
_BOOKS = 20_260_101
_FUNCTIONS = f"""
    CREATE FUNCTION rounds_closed_to() RETURNS date LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock_shared({_BOOKS});
        RETURN (SELECT max(day) FROM rounds_closedday);  -- as it is once the lock is there
    END
    $$;
    CREATE FUNCTION rounds_lock_books() RETURNS date LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock({_BOOKS});
        RETURN (SELECT max(day) FROM rounds_closedday);
    END
    $$
"""
_NO_FUNCTIONS = "DROP FUNCTION rounds_closed_to(); DROP FUNCTION rounds_lock_books()"
# PostgreSQL computes it while it writes the table anew: no row is updated, no trigger is asked.
_BOOKED_ON = """
    ALTER TABLE rounds_round ADD COLUMN booked_on date NOT NULL GENERATED ALWAYS AS
        (LEAST((opened_at AT TIME ZONE 'Europe/Rome')::date, DATE '9999-12-31')) STORED;
    ALTER TABLE rounds_round ALTER COLUMN booked_on DROP EXPRESSION
"""
_NOT_BOOKED = "ALTER TABLE rounds_round DROP COLUMN booked_on"


class Migration(migrations.Migration):
    """Rounds are booked on a day, and days can be closed. What is there: on its day of play."""

    dependencies = [
        ("rounds", "0011_rulings"),
    ]

    operations = [
        migrations.CreateModel(
            name="ClosedDay",
            fields=[
                ("day", models.DateField(primary_key=True, serialize=False, verbose_name="day")),
            ],
            options={
                "verbose_name": "closed day",
                "verbose_name_plural": "closed days",
                "default_permissions": (),
            },
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(_BOOKED_ON, _NOT_BOOKED)],
            state_operations=[
                migrations.AddField(
                    "round",
                    "booked_on",
                    models.DateField(verbose_name="booked on"),
                    preserve_default=False,
                ),
            ],
        ),
        migrations.RunSQL(_FUNCTIONS, _NO_FUNCTIONS),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(fields=["booked_on", "id"], name="round_by_booking"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="round",
            trigger=pgtrigger.compiler.Trigger(
                name="round_books_open",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE earliest date;",
                    func="\n            SELECT min(booked_on) INTO earliest FROM booked_rows;\n            IF earliest <= rounds_closed_to() THEN\n                RAISE EXCEPTION 'the books of % are closed', earliest\n                    USING ERRCODE = 'integrity_constraint_violation';\n            END IF;\n            RETURN NULL;\n        ",
                    hash="ae4339387c337eddb353d5e88cc8d57a1f4bb969",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_round_books_open_8fe6d",
                    referencing="REFERENCING NEW TABLE AS booked_rows ",
                    table="rounds_round",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="closedday",
            trigger=pgtrigger.compiler.Trigger(
                name="closed_day_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="b2da1278266e3cff2406cc9f745a942d4e7ccfc7",
                    operation="UPDATE",
                    pgid="pgtrigger_closed_day_no_update_3d5d4",
                    table="rounds_closedday",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="closedday",
            trigger=pgtrigger.compiler.Trigger(
                name="closed_day_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="610186e1e238776fab20c85a8828eea3b8f7a51c",
                    operation="DELETE",
                    pgid="pgtrigger_closed_day_no_delete_c964b",
                    table="rounds_closedday",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="closedday",
            trigger=pgtrigger.compiler.Trigger(
                name="closed_day_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="e59e15d3089575675e59caeea790e6857c2b4e23",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_closed_day_no_truncate_092e0",
                    table="rounds_closedday",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="closedday",
            trigger=pgtrigger.compiler.Trigger(
                name="closed_days_in_order",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n        IF NEW.day <> (SELECT max(day) + 1 FROM rounds_closedday) THEN\n            RAISE EXCEPTION 'found day %; needed the day after the last that is closed', NEW.day\n                USING ERRCODE = 'integrity_constraint_violation';\n        END IF;\n        RETURN NEW;\n    ",
                    hash="be9e7ca4c6af3fcb000585e3baefd1b8f8711ea3",
                    operation="INSERT",
                    pgid="pgtrigger_closed_days_in_order_f1b82",
                    table="rounds_closedday",
                    when="BEFORE",
                ),
            ),
        ),
    ]

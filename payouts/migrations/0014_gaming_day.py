import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models

# PostgreSQL computes them while it writes the tables anew: no row is updated, no trigger is asked.
_SETTLEMENT = """
    CREATE FUNCTION pg_temp.day_of_play(round uuid) RETURNS date LANGUAGE sql STABLE AS $$
        SELECT LEAST((opened_at AT TIME ZONE 'Europe/Rome')::date, DATE '9999-12-31')
          FROM rounds_round WHERE id = round
    $$;
    ALTER TABLE payouts_settlement ADD COLUMN booked_on date;
    ALTER TABLE payouts_settlement ALTER COLUMN booked_on TYPE date USING
        coalesce(pg_temp.day_of_play(round_id), (settled_at AT TIME ZONE 'Europe/Rome')::date);
    ALTER TABLE payouts_settlement ALTER COLUMN booked_on SET NOT NULL;
    DROP FUNCTION pg_temp.day_of_play(uuid)
"""
_BY_TIME = """
    ALTER TABLE {table} ADD COLUMN booked_on date NOT NULL GENERATED ALWAYS AS
        ((at AT TIME ZONE 'Europe/Rome')::date) STORED;
    ALTER TABLE {table} ALTER COLUMN booked_on DROP EXPRESSION
"""
_DROP = "ALTER TABLE {table} DROP COLUMN booked_on"
_OF_A_CLOSED_DAY = """
    ALTER TABLE payouts_dayclosing ADD CONSTRAINT closing_of_a_closed_day
        FOREIGN KEY (day) REFERENCES rounds_closedday (day)
"""
_OF_ANY_DAY = "ALTER TABLE payouts_dayclosing DROP CONSTRAINT closing_of_a_closed_day"


class Migration(migrations.Migration):
    """Settlements and the rest are booked on a day; closed days keep their totals."""

    dependencies = [
        ("payouts", "0013_cases"),
        ("rounds", "0012_booked_on"),
    ]

    operations = [
        migrations.CreateModel(
            name="DayClosing",
            fields=[
                ("day", models.DateField(primary_key=True, serialize=False, verbose_name="day")),
                ("closed_at", models.DateTimeField(verbose_name="closed")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                ("actor_user_id", models.BigIntegerField(null=True)),
                ("totals", models.JSONField(verbose_name="control totals")),
                ("digest", models.BinaryField(max_length=32)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="closings",
                        to="payouts.reconcilerun",
                        verbose_name="reconciliation",
                    ),
                ),
            ],
            options={
                "verbose_name": "closed day",
                "verbose_name_plural": "closed days",
                "permissions": [("close_day", "Can close a gaming day")],
                "default_permissions": ("view",),
            },
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    _BY_TIME.format(table="payouts_goodwillcredit"),
                    _DROP.format(table="payouts_goodwillcredit"),
                )
            ],
            state_operations=[
                migrations.AddField(
                    "goodwillcredit",
                    "booked_on",
                    models.DateField(verbose_name="booked on"),
                    preserve_default=False,
                ),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    _BY_TIME.format(table="payouts_payover"), _DROP.format(table="payouts_payover")
                )
            ],
            state_operations=[
                migrations.AddField(
                    "payover",
                    "booked_on",
                    models.DateField(verbose_name="booked on"),
                    preserve_default=False,
                ),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(_SETTLEMENT, _DROP.format(table="payouts_settlement"))
            ],
            state_operations=[
                migrations.AddField(
                    "settlement",
                    "booked_on",
                    models.DateField(verbose_name="booked on"),
                    preserve_default=False,
                ),
            ],
        ),
        migrations.AlterField(
            model_name="reconciledifference",
            name="kind",
            field=models.CharField(
                choices=[
                    ("balance", "Balance"),
                    ("sign", "Balance on the wrong side"),
                    ("zero_sum", "Sum of all accounts"),
                    ("stakes_held", "Stakes held"),
                    ("content", "Facts of the round"),
                    ("queue", "Round and queue"),
                    ("unreadable", "Round that cannot be replayed"),
                    ("rules_changed", "Rule set that is not there"),
                    ("verdict", "Verdict"),
                    ("unsettled", "Settlement that is missing"),
                    ("sequence", "Order of settlements"),
                    ("not_by_rules", "Settlement of a held round"),
                    ("settlement", "Settlement"),
                    ("bet", "What a bet paid"),
                    ("transfer", "Transfer"),
                    ("reversal", "Reversal"),
                    ("shortfall", "Shortfall"),
                    ("posted", "Time of a posting"),
                    ("pay_over", "Pay-over"),
                    ("goodwill", "Goodwill credit"),
                    ("unknown", "Rows of an unknown round"),
                    ("on_record", "Round and audit trail"),
                    ("day_rounds", "Daily total of rounds"),
                    ("day_bets", "Daily total of bets"),
                    ("day_ledger", "Ledger of a day"),
                    ("day_closed", "Totals of a closed day"),
                    ("leaf", "Audit record"),
                    ("records_missing", "Missing audit records"),
                    ("records_added", "Added audit records"),
                    ("root", "Root of a batch"),
                    ("batch_time", "Time of a batch"),
                ],
                max_length=16,
                verbose_name="kind",
            ),
        ),
        migrations.AddIndex(
            model_name="goodwillcredit",
            index=models.Index(fields=["booked_on"], name="goodwill_by_booking"),
        ),
        migrations.AddIndex(
            model_name="payover",
            index=models.Index(fields=["booked_on"], name="pay_over_by_booking"),
        ),
        migrations.AddIndex(
            model_name="settlement",
            index=models.Index(fields=["booked_on", "round"], name="settlement_by_booking"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="goodwillcredit",
            trigger=pgtrigger.compiler.Trigger(
                name="goodwill_books_open",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE earliest date;",
                    func="\n            SELECT min(booked_on) INTO earliest FROM booked_rows;\n            IF earliest <= rounds_closed_to() THEN\n                RAISE EXCEPTION 'the books of % are closed', earliest\n                    USING ERRCODE = 'integrity_constraint_violation';\n            END IF;\n            RETURN NULL;\n        ",
                    hash="a545dba738dd1de52d9661700fd909f63a78e1f7",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_goodwill_books_open_389bc",
                    referencing="REFERENCING NEW TABLE AS booked_rows ",
                    table="payouts_goodwillcredit",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="payover",
            trigger=pgtrigger.compiler.Trigger(
                name="pay_over_books_open",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE earliest date;",
                    func="\n            SELECT min(booked_on) INTO earliest FROM booked_rows;\n            IF earliest <= rounds_closed_to() THEN\n                RAISE EXCEPTION 'the books of % are closed', earliest\n                    USING ERRCODE = 'integrity_constraint_violation';\n            END IF;\n            RETURN NULL;\n        ",
                    hash="1a9ba6692dc7359fe053e0cd6a110eb1c3a0ee0b",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_pay_over_books_open_b3da1",
                    referencing="REFERENCING NEW TABLE AS booked_rows ",
                    table="payouts_payover",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="settlement",
            trigger=pgtrigger.compiler.Trigger(
                name="settlement_books_open",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE earliest date;",
                    func="\n            SELECT min(booked_on) INTO earliest FROM booked_rows;\n            IF earliest <= rounds_closed_to() THEN\n                RAISE EXCEPTION 'the books of % are closed', earliest\n                    USING ERRCODE = 'integrity_constraint_violation';\n            END IF;\n            RETURN NULL;\n        ",
                    hash="02ea22db46bd1fb7e85c8974761a29e086eb8c73",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_settlement_books_open_e7578",
                    referencing="REFERENCING NEW TABLE AS booked_rows ",
                    table="payouts_settlement",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayclosing",
            trigger=pgtrigger.compiler.Trigger(
                name="day_closing_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="8e45e728948580f940180ffd7e7cb4553d9032c6",
                    operation="UPDATE",
                    pgid="pgtrigger_day_closing_no_update_9cc51",
                    table="payouts_dayclosing",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayclosing",
            trigger=pgtrigger.compiler.Trigger(
                name="day_closing_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="60624ea0c92e587e31bf2c0df98f61cc41c2e22d",
                    operation="DELETE",
                    pgid="pgtrigger_day_closing_no_delete_0bbf0",
                    table="payouts_dayclosing",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayclosing",
            trigger=pgtrigger.compiler.Trigger(
                name="day_closing_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="fde93d2c63de1fcef089450ae3f8ab1a6f6a6ec5",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_day_closing_no_truncate_76741",
                    table="payouts_dayclosing",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.RunSQL(_OF_A_CLOSED_DAY, _OF_ANY_DAY),
    ]

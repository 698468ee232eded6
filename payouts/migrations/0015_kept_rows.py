import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

from compliance.trail.row_digests import keep_all


class Migration(migrations.Migration):
    """Rows of decisions are hashed as they are added; those that are there wait for their record."""

    dependencies = [
        ("trail", "0006_kept_rows"),
        ("payouts", "0014_gaming_day"),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name="case",
            trigger=pgtrigger.compiler.Trigger(
                name="case_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="2e373ac8047a7e53439ca97e6a46a52f8ad71aa6",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_case_kept_35c78",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_case",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="caseevidence",
            trigger=pgtrigger.compiler.Trigger(
                name="evidence_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="f2879d6d4dbed9fd8a978e6e3a63c8dbbf88d7ee",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_evidence_kept_52b9c",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_caseevidence",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="caseround",
            trigger=pgtrigger.compiler.Trigger(
                name="case_round_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'case_id,number'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="1be801c72c5e0cfdc46db11d7e2e990d592c40d1",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_case_round_kept_631ac",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_caseround",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="casestep",
            trigger=pgtrigger.compiler.Trigger(
                name="case_step_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'case_id,sequence'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="b27d38d9484c63da68ad7b5be3b70d445c3f6bc4",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_case_step_kept_5194c",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_casestep",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="dayclosing",
            trigger=pgtrigger.compiler.Trigger(
                name="day_closing_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'day'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="0b8a92daf38471dcddadb0690cab977d04754736",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_day_closing_kept_8a90a",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_dayclosing",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="goodwillcredit",
            trigger=pgtrigger.compiler.Trigger(
                name="goodwill_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="62011de3764340a7215b4537a719c7f9f0f9f8f6",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_goodwill_kept_b029e",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_goodwillcredit",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="payover",
            trigger=pgtrigger.compiler.Trigger(
                name="pay_over_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="0875d9d407d4ec16f90d6a488301b6815b2a46cb",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_pay_over_kept_215df",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_payover",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="reconciledifference",
            trigger=pgtrigger.compiler.Trigger(
                name="difference_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="de74bd84255e05684982ab35621c1ed39ed8991a",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_difference_kept_22522",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_reconciledifference",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stuckworkstep",
            trigger=pgtrigger.compiler.Trigger(
                name="stuck_step_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="49544298ca8bd4a4f43a6ef919a0991a44202cb2",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_stuck_step_kept_f6228",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_stuckworkstep",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(keep_all("payouts_case")),
        migrations.RunSQL(keep_all("payouts_caseevidence")),
        migrations.RunSQL(keep_all("payouts_caseround", key="case_id,number")),
        migrations.RunSQL(keep_all("payouts_casestep", key="case_id,sequence")),
        migrations.RunSQL(keep_all("payouts_dayclosing", key="day")),
        migrations.RunSQL(keep_all("payouts_goodwillcredit")),
        migrations.RunSQL(keep_all("payouts_payover")),
        migrations.RunSQL(keep_all("payouts_reconciledifference")),
        migrations.RunSQL(keep_all("payouts_stuckworkstep")),
    ]

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

from compliance.trail.row_digests import keep_all


class Migration(migrations.Migration):
    """Limits and suspensions are hashed as they are added; those that are there wait."""

    dependencies = [
        ("rounds", "0013_kept_rows"),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name="stakelimit",
            trigger=pgtrigger.compiler.Trigger(
                name="limit_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="7fe4c0ea6b025e1fcb60e2cc85a9f854d7223b2b",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_limit_kept_d07e1",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_stakelimit",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stakelimitset",
            trigger=pgtrigger.compiler.Trigger(
                name="limit_set_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="8636c4c4de5989f1ad511157a11a0c0bfbecca01",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_limit_set_kept_8a3a4",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_stakelimitset",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="tablesuspension",
            trigger=pgtrigger.compiler.Trigger(
                name="suspension_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="313862c054913bb0c4cb3580ae97f102d03d26fa",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_suspension_kept_c3689",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_tablesuspension",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(keep_all("rounds_stakelimit")),
        migrations.RunSQL(keep_all("rounds_stakelimitset")),
        migrations.RunSQL(keep_all("rounds_tablesuspension")),
    ]

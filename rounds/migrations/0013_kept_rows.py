import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

from compliance.trail.row_digests import keep_all


class Migration(migrations.Migration):
    """Rows of decisions are hashed as they are added; those that are there wait for their record."""

    dependencies = [
        ("trail", "0006_kept_rows"),
        ("rounds", "0012_booked_on"),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name="closedday",
            trigger=pgtrigger.compiler.Trigger(
                name="closed_day_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'day'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="5561aeeef543930583c74d1c1f73b87de35ee17a",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_closed_day_kept_ff6cf",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_closedday",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="conflictingdocument",
            trigger=pgtrigger.compiler.Trigger(
                name="conflict_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="a8b00594b72fcce3d40f57f9fa65c720bc818dd6",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_conflict_kept_8bdd1",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_conflictingdocument",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="quarantineddocument",
            trigger=pgtrigger.compiler.Trigger(
                name="quarantine_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="6cdcd123b897904e98ffb25ea914e4962088be10",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_quarantine_kept_20162",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_quarantineddocument",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="shoeopening",
            trigger=pgtrigger.compiler.Trigger(
                name="shoe_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'arrival'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="37c95f617d94af24373669ca4725e2ea7a7d888c",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_shoe_kept_59ee4",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_shoeopening",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(keep_all("rounds_closedday", key="day")),
        migrations.RunSQL(keep_all("rounds_conflictingdocument")),
        migrations.RunSQL(keep_all("rounds_quarantineddocument")),
        migrations.RunSQL(keep_all("rounds_shoeopening", key="arrival")),
    ]

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations

from compliance.trail.row_digests import keep_all


class Migration(migrations.Migration):
    """Rows of decisions are hashed as they are added; those that are there wait for their record."""

    dependencies = [
        ("trail", "0006_kept_rows"),
        ("exports", "0001_initial"),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name="bundle",
            trigger=pgtrigger.compiler.Trigger(
                name="bundle_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'number'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="27996ee8396d84f5e05dbc7eb9e573d93c24b235",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_bundle_kept_98e2b",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="exports_bundle",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="taxrate",
            trigger=pgtrigger.compiler.Trigger(
                name="tax_rate_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="41cfb10a9082f2836d273023ceb9129db9fb64a0",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_tax_rate_kept_8e4e2",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="exports_taxrate",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(keep_all("exports_bundle", key="number")),
        migrations.RunSQL(keep_all("exports_taxrate")),
    ]

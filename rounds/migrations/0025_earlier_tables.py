"""Tables that exist take unsigned rounds until their signatures are required; later ones do not."""

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rounds", "0024_queued_by_role"),
    ]

    operations = [
        migrations.CreateModel(
            name="EarlierTable",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        serialize=False,
                        to="rounds.table",
                    ),
                ),
            ],
            options={
                "verbose_name": "table from before signatures",
                "verbose_name_plural": "tables from before signatures",
                "default_permissions": (),
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earliertable",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_table_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="86e52d94a5e00d561c2a845df1e9054da845b863",
                    operation="UPDATE",
                    pgid="pgtrigger_earlier_table_no_update_550fb",
                    table="rounds_earliertable",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earliertable",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_table_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="c69396ebf1a6766e8b2d47b8705ada07c04018fd",
                    operation="DELETE",
                    pgid="pgtrigger_earlier_table_no_delete_d1823",
                    table="rounds_earliertable",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earliertable",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_table_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="e6e16a72da5189fdc1874fc5974e37b4132af291",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_earlier_table_no_truncate_8acec",
                    table="rounds_earliertable",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earliertable",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_table_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'table_id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="a82639fe0df46ef7574aea7d9f4edfc887821fb2",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_earlier_table_kept_8e626",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_earliertable",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(
            "INSERT INTO rounds_earliertable (table_id) SELECT id FROM rounds_table",
            reverse_sql=migrations.RunSQL.noop,
        ),
    ]

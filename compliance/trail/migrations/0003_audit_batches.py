import pgtrigger.compiler
import pgtrigger.migrations
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from compliance.storage.partition_migration import cut_table

# Every record that is there is a batch of one (0002): its leaf is the root.
_BATCHES_OF_ONE = """
    INSERT INTO trail_auditbatch (id, at, record_count, root)
    SELECT id, at, 1, leaf FROM trail_auditrecord
"""
# Their numbers are taken.
_NEXT_NUMBER = """
    SELECT setval('trail_batch', max(('x' || substr(replace(id::text, '-', ''), 18, 9))::bit(36)::bigint))
      FROM trail_auditrecord HAVING count(*) > 0
"""


def cut(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    cut_table(editor, "trail_auditbatch", "id")


class Migration(migrations.Migration):
    """The batches of records, each with its Merkle root, cut by month."""

    dependencies = [
        ("trail", "0002_records_by_month"),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditBatch",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("at", models.DateTimeField(verbose_name="when")),
                ("record_count", models.IntegerField(verbose_name="records")),
                ("root", models.BinaryField(max_length=32)),
            ],
            options={
                "verbose_name": "batch of audit records",
                "verbose_name_plural": "batches of audit records",
                "default_permissions": ("view",),
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="auditbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="trail_batch_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="287cfde39081f80a35bf009f7368a44f0f013701",
                    operation="UPDATE",
                    pgid="pgtrigger_trail_batch_no_update_4ae54",
                    table="trail_auditbatch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="auditbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="trail_batch_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="22795502d2b499fa20e5f0419a18f54dc5b7efba",
                    operation="DELETE",
                    pgid="pgtrigger_trail_batch_no_delete_5512d",
                    table="trail_auditbatch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="auditbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="trail_batch_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="594ae26dfed76a82edf9665928bdd6363da8b42f",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_trail_batch_no_truncate_9b9bf",
                    table="trail_auditbatch",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.RunSQL("CREATE SEQUENCE trail_batch AS bigint"),
        migrations.RunSQL(_BATCHES_OF_ONE),
        migrations.RunSQL(_NEXT_NUMBER),
        migrations.RunPython(cut),
    ]

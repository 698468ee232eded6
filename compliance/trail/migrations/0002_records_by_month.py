from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from compliance.storage.partition_migration import cut_table


def cut(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    cut_table(editor, "trail_auditrecord", "id")


# A record that is there becomes a batch of one: its time, its old number, position 0.
_TO_UUID = """
    ALTER TABLE trail_auditrecord ALTER COLUMN id DROP IDENTITY IF EXISTS;
    ALTER TABLE trail_auditrecord ALTER COLUMN id TYPE uuid USING (
            lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0')
            || '70008' || lpad(to_hex(id), 9, '0') || '000000')::uuid
"""


class Migration(migrations.Migration):
    """Records get ids of time, batch and position, and are cut by month."""

    dependencies = [("trail", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(_TO_UUID)],
            state_operations=[
                migrations.AlterField(
                    "auditrecord",
                    "id",
                    models.UUIDField(primary_key=True, editable=False, serialize=False),
                ),
            ],
        ),
        migrations.RunPython(cut),
    ]

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


_OPEN_ALL = """
    INSERT INTO rounds_openconflict SELECT id FROM rounds_conflictingdocument;
    INSERT INTO rounds_openquarantine SELECT id FROM rounds_quarantineddocument;
"""


class Migration(migrations.Migration):
    """Documents that wait for somebody have a table of their own; so far nobody dealt with any."""

    dependencies = [
        ("rounds", "0006_by_month"),
    ]

    operations = [
        migrations.CreateModel(
            name="OpenConflict",
            fields=[
                (
                    "conflict",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="open",
                        serialize=False,
                        to="rounds.conflictingdocument",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="OpenQuarantine",
            fields=[
                (
                    "document",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="open",
                        serialize=False,
                        to="rounds.quarantineddocument",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="conflictingdocument",
            trigger=pgtrigger.compiler.Trigger(
                name="conflict_opens",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="INSERT INTO rounds_openconflict (conflict_id) VALUES (NEW.id); RETURN NEW;",
                    hash="2d390c753e3c322fac3e4434e00ebdc097677e65",
                    operation="INSERT",
                    pgid="pgtrigger_conflict_opens_3c586",
                    table="rounds_conflictingdocument",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="quarantineddocument",
            trigger=pgtrigger.compiler.Trigger(
                name="quarantine_opens",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="INSERT INTO rounds_openquarantine (document_id) VALUES (NEW.id); RETURN NEW;",
                    hash="58758a38254395ebd564b09bfacef00d7df975ac",
                    operation="INSERT",
                    pgid="pgtrigger_quarantine_opens_4da22",
                    table="rounds_quarantineddocument",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(_OPEN_ALL, migrations.RunSQL.noop),
    ]

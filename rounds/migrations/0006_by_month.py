import pgtrigger.compiler
import pgtrigger.migrations
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from compliance.storage.partition_migration import cut_table

_NAMES = """
    INSERT INTO rounds_roundname (reference, round_id, digest)
    SELECT reference, id, digest FROM rounds_round
"""


def cut(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    cut_table(editor, "rounds_round", "id")
    cut_table(editor, "rounds_bet", "round_id")
    cut_table(editor, "rounds_validation", "round_id")


class Migration(migrations.Migration):
    """Rounds, bets and validations are cut by month; a table apart keeps the names unique."""

    dependencies = [
        ("rounds", "0005_failed_rounds"),
        ("trail", "0003_audit_batches"),
    ]

    operations = [
        migrations.CreateModel(
            name="RoundName",
            fields=[
                (
                    "reference",
                    models.CharField(
                        max_length=64, primary_key=True, serialize=False, verbose_name="round"
                    ),
                ),
                ("round_id", models.UUIDField()),
                ("digest", models.BinaryField(max_length=32)),
            ],
            options={
                "verbose_name": "name of a round",
                "verbose_name_plural": "names of rounds",
                "default_permissions": (),
            },
        ),
        migrations.AlterField(
            model_name="round",
            name="arrival",
            field=models.BigIntegerField(),
        ),
        migrations.AlterField(
            model_name="round",
            name="reference",
            field=models.CharField(max_length=64, verbose_name="round"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="customer",
            trigger=pgtrigger.compiler.Trigger(
                name="customer_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="2bb1b3ba9c5c6a87617b519993d238ae94a7e920",
                    operation="UPDATE",
                    pgid="pgtrigger_customer_no_update_b4a67",
                    table="rounds_customer",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="customer",
            trigger=pgtrigger.compiler.Trigger(
                name="customer_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="6767de5f0ead28fe8c525313b39e310616486c0c",
                    operation="DELETE",
                    pgid="pgtrigger_customer_no_delete_f9505",
                    table="rounds_customer",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="customer",
            trigger=pgtrigger.compiler.Trigger(
                name="customer_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="c79bf15d8a8df045abad28c775984be931b34915",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_customer_no_truncate_70e7f",
                    table="rounds_customer",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="roundname",
            trigger=pgtrigger.compiler.Trigger(
                name="round_name_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="f62329be4123e88ede37e9130e204702acde5b48",
                    operation="UPDATE",
                    pgid="pgtrigger_round_name_no_update_2d9c9",
                    table="rounds_roundname",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="roundname",
            trigger=pgtrigger.compiler.Trigger(
                name="round_name_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="f95e7a77b6068c0d25eb76f31caeb04801182a66",
                    operation="DELETE",
                    pgid="pgtrigger_round_name_no_delete_d38be",
                    table="rounds_roundname",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="roundname",
            trigger=pgtrigger.compiler.Trigger(
                name="round_name_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="7286e7162eda0da6abf015ec5675442cd7439c7d",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_round_name_no_truncate_9bcac",
                    table="rounds_roundname",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.RunSQL(_NAMES),
        migrations.RunPython(cut),
    ]

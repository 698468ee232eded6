import compliance.trail.json_field
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from compliance.storage.partition_migration import cut_table

# As ``compliance.trail.encoding`` writes JSON: no white space, keys by their code points.
_CANONICAL = """
    CREATE FUNCTION trail_canonical(value jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
        CASE jsonb_typeof(value)
        WHEN 'object' THEN
            RETURN (SELECT '{' || coalesce(string_agg(
                               to_json(key)::text || ':' || trail_canonical(one), ','
                               ORDER BY key COLLATE "C"), '') || '}'
                      FROM jsonb_each(value) AS member (key, one));
        WHEN 'array' THEN
            RETURN (SELECT '[' || coalesce(string_agg(trail_canonical(one), ','
                               ORDER BY place), '') || ']'
                      FROM jsonb_array_elements(value) WITH ORDINALITY AS member (one, place));
        ELSE
            RETURN value::text;
        END CASE;
    END $$
"""
_DETAILS_AS_HASHED = """
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE trail_auditrecord ALTER COLUMN details TYPE text USING trail_canonical(details);
    DROP FUNCTION trail_canonical(jsonb)
"""
_ALL_WAIT = "INSERT INTO trail_pendingbatch (batch_id) SELECT id FROM trail_auditbatch"


def cut(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    cut_table(editor, "trail_loggedbatch", "batch_id")


class Migration(migrations.Migration):
    """The log that batches are added to; details stored byte for byte as they are hashed."""

    dependencies = [
        ("trail", "0003_audit_batches"),
    ]

    operations = [
        migrations.CreateModel(
            name="LogKey",
            fields=[
                (
                    "key_id",
                    models.CharField(
                        max_length=64, primary_key=True, serialize=False, verbose_name="key"
                    ),
                ),
                ("public_key", models.BinaryField(max_length=32)),
                ("first_head", models.BigIntegerField(unique=True, verbose_name="from head")),
                ("endorsement", models.BinaryField(default=b"", max_length=64)),
            ],
            options={
                "verbose_name": "key of the log",
                "verbose_name_plural": "keys of the log",
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="LogNode",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "level",
                        "index",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("level", models.SmallIntegerField()),
                ("index", models.BigIntegerField()),
                ("hash", models.BinaryField(max_length=32)),
            ],
            options={
                "verbose_name": "node of the log",
                "verbose_name_plural": "nodes of the log",
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="PendingBatch",
            fields=[
                ("batch_id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
            ],
            options={
                "verbose_name": "batch waiting for the log",
                "verbose_name_plural": "batches waiting for the log",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="TreeHead",
            fields=[
                (
                    "sequence",
                    models.BigIntegerField(primary_key=True, serialize=False, verbose_name="head"),
                ),
                ("at", models.DateTimeField(verbose_name="when")),
                ("batch_count", models.IntegerField(verbose_name="batches added")),
                ("size", models.BigIntegerField(verbose_name="records in the log")),
                ("root", models.BinaryField(max_length=32)),
                ("chain", models.BinaryField(max_length=32)),
                ("signature", models.BinaryField(max_length=64)),
            ],
            options={
                "verbose_name": "signed tree head",
                "verbose_name_plural": "signed tree heads",
                "default_permissions": ("view",),
            },
        ),
        migrations.RunSQL(_CANONICAL),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(_DETAILS_AS_HASHED)],
            state_operations=[
                migrations.AlterField(
                    model_name="auditrecord",
                    name="details",
                    field=compliance.trail.json_field.CanonicalJSONField(
                        default=dict, verbose_name="details"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LoggedBatch",
            fields=[
                ("batch_id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("head_id", models.BigIntegerField(verbose_name="head")),
                ("first_leaf", models.BigIntegerField(verbose_name="first record")),
                ("chain", models.BinaryField(max_length=32)),
            ],
            options={
                "verbose_name": "batch in the log",
                "verbose_name_plural": "batches in the log",
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["first_leaf"], name="logged_by_leaf")],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="loggedbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="logged_batch_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="13cba08b6fdfb80e4be34ecb96ca8b46ca6165a6",
                    operation="UPDATE",
                    pgid="pgtrigger_logged_batch_no_update_689ef",
                    table="trail_loggedbatch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="loggedbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="logged_batch_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="9f3c211a526db6d03e304b43168bb9d021bdd351",
                    operation="DELETE",
                    pgid="pgtrigger_logged_batch_no_delete_65aa7",
                    table="trail_loggedbatch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="loggedbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="logged_batch_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="441e0a50b3df4cc77f8b07f309a1e635fd6eb533",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_logged_batch_no_truncate_17b03",
                    table="trail_loggedbatch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logkey",
            trigger=pgtrigger.compiler.Trigger(
                name="log_key_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="a54915333b056bd27e4938bef25c1a65966e6952",
                    operation="UPDATE",
                    pgid="pgtrigger_log_key_no_update_53f4a",
                    table="trail_logkey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logkey",
            trigger=pgtrigger.compiler.Trigger(
                name="log_key_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="902d0566a7c57fcf7168560aa5bc4e3bdf384de1",
                    operation="DELETE",
                    pgid="pgtrigger_log_key_no_delete_7190f",
                    table="trail_logkey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="logkey",
            trigger=pgtrigger.compiler.Trigger(
                name="log_key_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="0856656db13032252a9d9c86790981d20352ae41",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_log_key_no_truncate_70d72",
                    table="trail_logkey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lognode",
            trigger=pgtrigger.compiler.Trigger(
                name="log_node_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="fe8a9a9f376f20ca038ecf25f8af4cd8b08b60f6",
                    operation="UPDATE",
                    pgid="pgtrigger_log_node_no_update_89805",
                    table="trail_lognode",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lognode",
            trigger=pgtrigger.compiler.Trigger(
                name="log_node_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="c810401d207853373a09fdf8c8e8b2ec6b99efd7",
                    operation="DELETE",
                    pgid="pgtrigger_log_node_no_delete_22183",
                    table="trail_lognode",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lognode",
            trigger=pgtrigger.compiler.Trigger(
                name="log_node_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="46d5282c7eceb34b248d57781c234f417aae3285",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_log_node_no_truncate_a15bb",
                    table="trail_lognode",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddField(
            model_name="treehead",
            name="key",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="heads",
                to="trail.logkey",
            ),
        ),
        migrations.AddIndex(
            model_name="treehead",
            index=models.Index(fields=["size"], name="head_by_size"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="treehead",
            trigger=pgtrigger.compiler.Trigger(
                name="tree_head_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="3315ce7d366269bb29929f4f1516dd2dd06a1aec",
                    operation="UPDATE",
                    pgid="pgtrigger_tree_head_no_update_f5217",
                    table="trail_treehead",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="treehead",
            trigger=pgtrigger.compiler.Trigger(
                name="tree_head_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="790da8431806641ceb3859a4bfb3565be23c1968",
                    operation="DELETE",
                    pgid="pgtrigger_tree_head_no_delete_a594b",
                    table="trail_treehead",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="treehead",
            trigger=pgtrigger.compiler.Trigger(
                name="tree_head_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="f2e0c2a9a30a993a67d54ac236da7258e1eb9f30",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_tree_head_no_truncate_c2f52",
                    table="trail_treehead",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.RunSQL(_ALL_WAIT),
        migrations.RunPython(cut),
    ]

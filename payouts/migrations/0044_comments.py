"""Comments on rounds, cases and disputes too, in the table of the notes about customers.

Stored rows keep their digests in the log: each digest names the columns that it covers.
"""

from typing import Any

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


_RENAMED = {
    "write_customer_note": ("write_comment", "Can write comments"),
    "view_customernote": ("view_comment", "Can view comment"),
}


def rename_permissions(apps: Any, _editor: Any) -> None:
    """Roles keep what they had; without this, permissions of no model would stay."""
    permissions = apps.get_model("auth", "Permission").objects
    for before, (codename, name) in _RENAMED.items():
        row = permissions.filter(content_type__app_label="payouts", codename=before)
        row.update(codename=codename, name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("payouts", "0043_customer_notes"),
        ("rounds", "0025_earlier_tables"),
    ]

    operations = [
        migrations.AlterModelTable("CustomerNote", "payouts_customernote"),
        migrations.RenameModel("CustomerNote", "Comment"),
        migrations.RunPython(rename_permissions, migrations.RunPython.noop),
        migrations.AlterModelOptions(
            name="comment",
            options={
                "default_permissions": ("view",),
                "permissions": [("write_comment", "Can write comments")],
                "verbose_name": "comment",
                "verbose_name_plural": "comments",
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="comment",
            name="customer_note_no_update",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="comment",
            name="customer_note_no_delete",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="comment",
            name="customer_note_no_truncate",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="comment",
            name="customer_note_kept",
        ),
        migrations.AddField(
            model_name="comment",
            name="case",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="comments",
                to="payouts.case",
                verbose_name="case",
            ),
        ),
        migrations.AddField(
            model_name="comment",
            name="dispute",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="comments",
                to="payouts.dispute",
                verbose_name="dispute",
            ),
        ),
        migrations.AddField(
            model_name="comment",
            name="mentions",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(),
                db_default=[],
                size=None,
                verbose_name="mentions",
            ),
        ),
        migrations.AddField(
            model_name="comment",
            name="round",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                to="rounds.round",
                verbose_name="round",
            ),
        ),
        migrations.AddField(
            model_name="comment",
            name="withdraws",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="withdrawal",
                to="payouts.comment",
                verbose_name="withdraws",
            ),
        ),
        migrations.AlterField(
            model_name="comment",
            name="customer",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="comments",
                to="rounds.customer",
                verbose_name="customer",
            ),
        ),
        migrations.AlterField(
            model_name="comment",
            name="text",
            field=models.TextField(verbose_name="comment"),
        ),
        migrations.AddIndex(
            model_name="comment",
            index=models.Index(
                condition=models.Q(("round__isnull", False)),
                fields=["round", "-id"],
                name="comment_by_round",
            ),
        ),
        migrations.AddIndex(
            model_name="comment",
            index=models.Index(
                condition=models.Q(("case__isnull", False)),
                fields=["case", "-id"],
                name="comment_by_case",
            ),
        ),
        migrations.AddIndex(
            model_name="comment",
            index=models.Index(
                condition=models.Q(("dispute__isnull", False)),
                fields=["dispute", "-id"],
                name="comment_by_dispute",
            ),
        ),
        migrations.AddIndex(
            model_name="comment",
            index=models.Index(fields=["actor_user_id", "-id"], name="comment_by_author"),
        ),
        migrations.AddIndex(
            model_name="comment",
            index=django.contrib.postgres.indexes.GinIndex(
                fields=["mentions"], name="comment_by_mention"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="comment",
            trigger=pgtrigger.compiler.Trigger(
                name="comment_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="02f494049b7e4922afd06b52253dcc65f9208c03",
                    operation="UPDATE",
                    pgid="pgtrigger_comment_no_update_16faf",
                    table="payouts_customernote",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="comment",
            trigger=pgtrigger.compiler.Trigger(
                name="comment_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="07ce2c2370300ba9d40961117baa73685f6b494b",
                    operation="DELETE",
                    pgid="pgtrigger_comment_no_delete_0f07e",
                    table="payouts_customernote",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="comment",
            trigger=pgtrigger.compiler.Trigger(
                name="comment_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="a9e2d6d339e33848f8818d7b8bb89832f6e0a124",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_comment_no_truncate_386d6",
                    table="payouts_customernote",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="comment",
            trigger=pgtrigger.compiler.Trigger(
                name="comment_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="e26fdbb05a22b87c8d663b6c033c7bc2fa7d5c3f",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_comment_kept_cec0b",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="payouts_customernote",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="comment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("case__isnull", True),
                        ("customer__isnull", False),
                        ("dispute__isnull", True),
                        ("round__isnull", True),
                    ),
                    models.Q(
                        ("case__isnull", True),
                        ("customer__isnull", True),
                        ("dispute__isnull", True),
                        ("round__isnull", False),
                    ),
                    models.Q(
                        ("case__isnull", False),
                        ("customer__isnull", True),
                        ("dispute__isnull", True),
                        ("round__isnull", True),
                    ),
                    models.Q(
                        ("case__isnull", True),
                        ("customer__isnull", True),
                        ("dispute__isnull", False),
                        ("round__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="comment_is_about_one_record",
            ),
        ),
    ]

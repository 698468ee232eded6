import django.db.models.deletion
import django.db.models.lookups
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0003_void_rounds"),
        ("rounds", "0005_failed_rounds"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="FailingTask",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("task", models.CharField(max_length=100, verbose_name="task")),
                ("failures", models.IntegerField(default=1, verbose_name="failures")),
                ("first_failed_at", models.DateTimeField(verbose_name="first failure")),
                ("last_failed_at", models.DateTimeField(verbose_name="last failure")),
                ("last_error", models.TextField(verbose_name="last error")),
                ("takes_arguments", models.BooleanField(default=False)),
                ("recovered_at", models.DateTimeField(null=True, verbose_name="recovered")),
            ],
            options={
                "verbose_name": "failing task",
                "verbose_name_plural": "failing tasks",
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["task", "-id"], name="failures_of_a_task")],
            },
        ),
        migrations.CreateModel(
            name="StuckWorkStep",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.IntegerField()),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("assigned", "Assigned"),
                            ("retried", "Tried again"),
                            ("taken", "Taken when tried again"),
                            ("resolved", "Dealt with"),
                        ],
                        max_length=16,
                        verbose_name="what",
                    ),
                ),
                ("note", models.TextField(blank=True, default="", verbose_name="note")),
                ("at", models.DateTimeField(verbose_name="when")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                ("actor_user_id", models.BigIntegerField(null=True)),
                (
                    "conflict",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rounds.conflictingdocument",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rounds.quarantineddocument",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="rounds.round",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="payouts.failingtask",
                    ),
                ),
            ],
            options={
                "verbose_name": "stuck work",
                "verbose_name_plural": "stuck work",
                "permissions": [("handle_stuck_work", "Can assign, retry and resolve stuck work")],
                "default_permissions": ("view",),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("round__isnull", False)),
                        fields=("round", "sequence"),
                        name="one_round_step",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("conflict__isnull", False)),
                        fields=("conflict", "sequence"),
                        name="one_conflict_step",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("document__isnull", False)),
                        fields=("document", "sequence"),
                        name="one_document_step",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("task__isnull", False)),
                        fields=("task", "sequence"),
                        name="one_task_step",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("sequence__gte", 1)), name="stuck_steps_count_from_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("action", "resolved"), _negated=True),
                            models.Q(("note", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="resolved_with_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            django.db.models.lookups.Exact(
                                models.Func(
                                    "round",
                                    "conflict",
                                    "document",
                                    "task",
                                    function="num_nonnulls",
                                    output_field=models.IntegerField(),
                                ),
                                1,
                            )
                        ),
                        name="stuck_step_of_one_thing",
                    ),
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stuckworkstep",
            trigger=pgtrigger.compiler.Trigger(
                name="stuck_step_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="2368643148a65c92c9b019649d79b5782f50a8da",
                    operation="UPDATE",
                    pgid="pgtrigger_stuck_step_no_update_e99f2",
                    table="payouts_stuckworkstep",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stuckworkstep",
            trigger=pgtrigger.compiler.Trigger(
                name="stuck_step_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="5d0e6f931c1e3c970563bebe8b821824087cd74d",
                    operation="DELETE",
                    pgid="pgtrigger_stuck_step_no_delete_f5ff3",
                    table="payouts_stuckworkstep",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stuckworkstep",
            trigger=pgtrigger.compiler.Trigger(
                name="stuck_step_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="c4bbf4aa6cbf3f928a847585ede56cdf88ebbfbd",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_stuck_step_no_truncate_f3652",
                    table="payouts_stuckworkstep",
                    when="BEFORE",
                ),
            ),
        ),
    ]

import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    """Customers' money that was handed over to their gaming accounts."""

    dependencies = [
        ("payouts", "0006_settled_again"),
        ("rounds", "0007_open_documents"),
    ]

    operations = [
        migrations.CreateModel(
            name="PayOver",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "reference",
                    models.CharField(max_length=100, unique=True, verbose_name="reference"),
                ),
                (
                    "asset",
                    models.CharField(
                        choices=[("cash", "Cash"), ("chips", "Golden chips")],
                        max_length=8,
                        verbose_name="asset",
                    ),
                ),
                ("cents", models.BigIntegerField(verbose_name="amount")),
                ("at", models.DateTimeField(verbose_name="when")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                (
                    "customer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pay_overs",
                        to="rounds.customer",
                        verbose_name="customer",
                    ),
                ),
            ],
            options={
                "verbose_name": "pay-over",
                "verbose_name_plural": "pay-overs",
                "default_permissions": ("view",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("cents__gt", 0), models.Q(("reference", ""), _negated=True)
                        ),
                        name="pay_over_of_something",
                    )
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="payover",
            trigger=pgtrigger.compiler.Trigger(
                name="pay_over_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="32774594be9eb0b0f6c4ccccd08e34ece79dcdad",
                    operation="UPDATE",
                    pgid="pgtrigger_pay_over_no_update_17a20",
                    table="payouts_payover",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="payover",
            trigger=pgtrigger.compiler.Trigger(
                name="pay_over_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="1a155b46010f6ad728ab3c80c05de44a5fa9ad13",
                    operation="DELETE",
                    pgid="pgtrigger_pay_over_no_delete_4436c",
                    table="payouts_payover",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="payover",
            trigger=pgtrigger.compiler.Trigger(
                name="pay_over_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="59d2ee6136446d8ece7b074379eae8027de3b6a1",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_pay_over_no_truncate_1f213",
                    table="payouts_payover",
                    when="BEFORE",
                ),
            ),
        ),
    ]

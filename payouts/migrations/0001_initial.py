import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("rounds", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("wallet", "Operator's wallet"),
                            ("stakes_held", "Stakes held"),
                            ("house", "House"),
                            ("customer", "Customer"),
                        ],
                        max_length=16,
                        verbose_name="kind",
                    ),
                ),
                (
                    "asset",
                    models.CharField(
                        choices=[("cash", "Cash"), ("chips", "Golden chips")],
                        max_length=8,
                        verbose_name="asset",
                    ),
                ),
                ("stripe", models.SmallIntegerField(default=0)),
                ("balance_cents", models.BigIntegerField(default=0, verbose_name="balance")),
                (
                    "customer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="accounts",
                        to="rounds.customer",
                    ),
                ),
            ],
            options={
                "verbose_name": "account",
                "verbose_name_plural": "accounts",
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="BetSettlement",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "round_id",
                        "sequence",
                        "bet_number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("sequence", models.SmallIntegerField()),
                ("bet_number", models.IntegerField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("win", "Won"),
                            ("push", "Push"),
                            ("lose", "Lost"),
                            ("void", "Void"),
                        ],
                        max_length=8,
                        verbose_name="outcome",
                    ),
                ),
                ("payout_cents", models.BigIntegerField(verbose_name="paid, stakes included")),
                ("chips_cents", models.BigIntegerField(verbose_name="of which golden chips")),
                (
                    "reasons",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), size=None, verbose_name="rules"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="rounds.round",
                    ),
                ),
            ],
            options={
                "verbose_name": "bet settlement",
                "verbose_name_plural": "bet settlements",
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="Settlement",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "round_id",
                        "sequence",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("sequence", models.SmallIntegerField(verbose_name="settlement")),
                (
                    "kind",
                    models.CharField(
                        choices=[("settled", "Settled"), ("void", "Void")],
                        max_length=16,
                        verbose_name="kind",
                    ),
                ),
                ("rules", models.CharField(max_length=64, verbose_name="rule set")),
                ("staked_cents", models.BigIntegerField(verbose_name="staked")),
                ("payout_cents", models.BigIntegerField(verbose_name="paid")),
                ("chips_cents", models.BigIntegerField(verbose_name="golden chips given back")),
                ("bonus", models.JSONField(null=True)),
                ("settled_at", models.DateTimeField(verbose_name="when")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                (
                    "round",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="settlements",
                        to="rounds.round",
                    ),
                ),
            ],
            options={
                "verbose_name": "settlement",
                "verbose_name_plural": "settlements",
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "round_id",
                        "entry",
                        "line",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("entry", models.SmallIntegerField(verbose_name="entry")),
                ("line", models.IntegerField(verbose_name="line")),
                (
                    "purpose",
                    models.CharField(
                        choices=[
                            ("stakes_taken", "Stakes taken"),
                            ("stakes_settled", "Stakes settled"),
                            ("stake_returned", "Stake returned"),
                            ("payout", "Payout"),
                        ],
                        max_length=16,
                        verbose_name="purpose",
                    ),
                ),
                ("amount_cents", models.BigIntegerField(verbose_name="amount")),
                ("bet_number", models.IntegerField(null=True)),
                ("posted_at", models.DateTimeField(verbose_name="posted")),
                (
                    "credit",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="payouts.account",
                    ),
                ),
                (
                    "debit",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="payouts.account",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="transfers",
                        to="rounds.round",
                    ),
                ),
            ],
            options={
                "verbose_name": "transfer",
                "verbose_name_plural": "transfers",
                "default_permissions": ("view",),
            },
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.UniqueConstraint(
                fields=("kind", "asset", "customer", "stripe"),
                name="one_account",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("customer__isnull", False), ("kind", "customer")),
                    models.Q(
                        models.Q(("kind", "customer"), _negated=True), ("customer__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="customer_accounts_have_a_customer",
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "customer"), _negated=True),
                    ("balance_cents__gte", 0),
                    _connector="OR",
                ),
                name="customers_never_owe_silently",
            ),
        ),
        migrations.AddConstraint(
            model_name="betsettlement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("chips_cents__gte", 0),
                    ("chips_cents__lte", models.F("payout_cents")),
                    ("payout_cents__gte", 0),
                ),
                name="bet_settlement_in_range",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="betsettlement",
            trigger=pgtrigger.compiler.Trigger(
                name="bet_settlement_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="15025018653403e2e326e8e72dd13c86de570799",
                    operation="UPDATE",
                    pgid="pgtrigger_bet_settlement_no_update_ceafd",
                    table="payouts_betsettlement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="betsettlement",
            trigger=pgtrigger.compiler.Trigger(
                name="bet_settlement_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="47207bb6f21d9460a66863587bbe66c8a9645ad2",
                    operation="DELETE",
                    pgid="pgtrigger_bet_settlement_no_delete_8eee1",
                    table="payouts_betsettlement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="betsettlement",
            trigger=pgtrigger.compiler.Trigger(
                name="bet_settlement_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="1184eea583c38326d15de95b461c45a044613471",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_bet_settlement_no_truncate_5ba54",
                    table="payouts_betsettlement",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="settlement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("chips_cents__gte", 0),
                    ("chips_cents__lte", models.F("payout_cents")),
                    ("payout_cents__gte", 0),
                    ("sequence__gte", 1),
                ),
                name="settlement_in_range",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="settlement",
            trigger=pgtrigger.compiler.Trigger(
                name="settlement_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="f276a1152b2d0a93a03b9f2a603ac9b5eac2173b",
                    operation="UPDATE",
                    pgid="pgtrigger_settlement_no_update_ffb29",
                    table="payouts_settlement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="settlement",
            trigger=pgtrigger.compiler.Trigger(
                name="settlement_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="9ff8c3bcc5b564a808466dcf5a14ab7e010e3926",
                    operation="DELETE",
                    pgid="pgtrigger_settlement_no_delete_36973",
                    table="payouts_settlement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="settlement",
            trigger=pgtrigger.compiler.Trigger(
                name="settlement_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="7e3fd23a9593514cd3513b8f6a423aff08e7c2b5",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_settlement_no_truncate_715eb",
                    table="payouts_settlement",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("amount_cents__gt", 0), models.Q(("debit", models.F("credit")), _negated=True)
                ),
                name="transfer_moves_money",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="transfer",
            trigger=pgtrigger.compiler.Trigger(
                name="transfer_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="8d4d1782f0c701394d4dd4b20be2ea45f0afd990",
                    operation="UPDATE",
                    pgid="pgtrigger_transfer_no_update_f8eab",
                    table="payouts_transfer",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="transfer",
            trigger=pgtrigger.compiler.Trigger(
                name="transfer_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="9a38a077275c6e9bd90e29fd9c85b04d82ab940b",
                    operation="DELETE",
                    pgid="pgtrigger_transfer_no_delete_8e44f",
                    table="payouts_transfer",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="transfer",
            trigger=pgtrigger.compiler.Trigger(
                name="transfer_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="30d2cd906d73d1e96ae0fbe9568cfffc6751274e",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_transfer_no_truncate_0cf10",
                    table="payouts_transfer",
                    when="BEFORE",
                ),
            ),
        ),
    ]

import django.db.models.deletion
import django.db.models.expressions
import pgtrigger.compiler
import pgtrigger.migrations
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from compliance.storage.partition_migration import cut_table

_ACCOUNT_IDS = """
    ALTER TABLE payouts_account ALTER COLUMN id DROP IDENTITY IF EXISTS;
    ALTER TABLE payouts_account DROP CONSTRAINT payouts_account_pkey;
    ALTER TABLE payouts_account ADD COLUMN old_id bigint;
    UPDATE payouts_account SET old_id = id, id = CASE kind
        WHEN 'customer' THEN customer_id * 8
        WHEN 'wallet' THEN -1 - stripe * 8
        WHEN 'stakes_held' THEN -3 - stripe * 8
        WHEN 'house' THEN -5 - stripe * 8 END
        + CASE WHEN asset = 'cash' THEN 0 WHEN kind = 'customer' THEN 1 ELSE -1 END;
    ALTER TABLE payouts_account ADD PRIMARY KEY (id);
    CREATE UNIQUE INDEX old_account ON payouts_account (old_id);
    ALTER TABLE payouts_account SET (fillfactor = 60)
"""
_FINISH = """
    ALTER TABLE payouts_settlement ALTER COLUMN results_digest SET NOT NULL;
    ALTER TABLE payouts_account DROP COLUMN old_id
"""
_TOTALS = """
    INSERT INTO payouts_dailyrounds (day, table_id, rules, stripe, rounds, void_rounds)
    SELECT (round.opened_at AT TIME ZONE 'Europe/Rome')::date, round.table_id, round.rules, 0,
           count(*), count(*) FILTER (WHERE settled.kind = 'void')
      FROM payouts_settlement AS settled JOIN rounds_round AS round ON round.id = settled.round_id
     GROUP BY 1, 2, 3;
    INSERT INTO payouts_dailybets (day, table_id, rules, kind, stripe, bets, void_bets, staked_cents,
           staked_chips_cents, payout_cents, payout_chips_cents)
    SELECT (round.opened_at AT TIME ZONE 'Europe/Rome')::date, round.table_id, round.rules, bet.kind,
           0, count(*), count(*) FILTER (WHERE graded.outcome = 'void'),
           sum(bet.stake_cents + bet.raised_cents),
           coalesce(sum(bet.stake_cents) FILTER (WHERE bet.golden), 0),
           sum(graded.payout_cents), sum(graded.chips_cents)
      FROM payouts_betsettlement AS graded
      JOIN rounds_round AS round ON round.id = graded.round_id
      JOIN rounds_bet AS bet ON bet.round_id = graded.round_id AND bet.number = graded.bet_number
     GROUP BY 1, 2, 3, 4
"""
_DIGEST = r"""
    (SELECT sha256(convert_to(coalesce(string_agg(bet_number || E'\t' || outcome || E'\t'
              || payout_cents || E'\t' || chips_cents || E'\t{' || array_to_string(reasons, ',')
              || E'}\n', '' ORDER BY bet_number), ''), 'UTF8'))
       FROM payouts_betsettlement AS graded
      WHERE graded.round_id = old.round_id AND graded.sequence = old.sequence)
"""


def cut(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    cut_table(editor, "payouts_betsettlement", "round_id")
    cut_table(editor, "payouts_settlement", "round_id", computed={"results_digest": _DIGEST})
    account = "(SELECT id FROM payouts_account WHERE old_id = old.{})".format
    accounts = {name: account(name) for name in ("debit_id", "credit_id")}
    cut_table(editor, "payouts_transfer", "origin", computed=accounts)


class Migration(migrations.Migration):
    """Ledger and settlements are cut by month, accounts named by their ids, days totalled."""

    dependencies = [
        ("payouts", "0004_stuck_work"),
        ("rounds", "0006_by_month"),
    ]

    operations = [
        migrations.CreateModel(
            name="DailyBets",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "day",
                        "table_id",
                        "rules",
                        "kind",
                        "stripe",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("day", models.DateField(verbose_name="day")),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rounds.table",
                    ),
                ),
                ("rules", models.CharField(max_length=64, verbose_name="rule set")),
                ("kind", models.CharField(max_length=32, verbose_name="bet kind")),
                ("stripe", models.SmallIntegerField()),
                ("bets", models.BigIntegerField(verbose_name="bets")),
                ("void_bets", models.BigIntegerField(verbose_name="of which void")),
                ("staked_cents", models.BigIntegerField(verbose_name="staked")),
                (
                    "staked_chips_cents",
                    models.BigIntegerField(verbose_name="of which golden chips"),
                ),
                ("payout_cents", models.BigIntegerField(verbose_name="paid")),
                (
                    "payout_chips_cents",
                    models.BigIntegerField(verbose_name="of which golden chips"),
                ),
            ],
            options={
                "verbose_name": "daily total of bets",
                "verbose_name_plural": "daily totals of bets",
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="DailyRounds",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "day",
                        "table_id",
                        "rules",
                        "stripe",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("day", models.DateField(verbose_name="day")),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="rounds.table",
                    ),
                ),
                ("rules", models.CharField(max_length=64, verbose_name="rule set")),
                ("stripe", models.SmallIntegerField()),
                ("rounds", models.BigIntegerField(verbose_name="rounds")),
                ("void_rounds", models.BigIntegerField(verbose_name="of which void")),
            ],
            options={
                "verbose_name": "daily total of rounds",
                "verbose_name_plural": "daily totals of rounds",
                "default_permissions": ("view",),
            },
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL("ALTER TABLE payouts_transfer RENAME COLUMN round_id TO origin")
            ],
            state_operations=[
                migrations.RemoveField(
                    model_name="transfer",
                    name="round",
                ),
                migrations.AddField(
                    model_name="transfer",
                    name="origin",
                    field=models.UUIDField(verbose_name="about"),
                ),
                migrations.AlterField(
                    model_name="transfer",
                    name="pk",
                    field=models.CompositePrimaryKey(
                        "origin",
                        "entry",
                        "line",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
            ],
        ),
        migrations.AlterField(
            model_name="account",
            name="customer",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="accounts",
                to="rounds.customer",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(_ACCOUNT_IDS)],
            state_operations=[
                migrations.AlterField(
                    model_name="account",
                    name="id",
                    field=models.BigIntegerField(primary_key=True, serialize=False),
                ),
            ],
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL("ALTER TABLE payouts_settlement ADD COLUMN results_digest bytea")
            ],
            state_operations=[
                migrations.AddField(
                    model_name="settlement",
                    name="results_digest",
                    field=models.BinaryField(max_length=32),
                ),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="account",
            name="one_account",
        ),
        migrations.RemoveConstraint(
            model_name="account",
            name="customer_accounts_have_a_customer",
        ),
        migrations.AddField(
            model_name="settlement",
            name="approved_by",
            field=models.CharField(max_length=200, null=True, verbose_name="approved by"),
        ),
        migrations.AddField(
            model_name="settlement",
            name="reason",
            field=models.TextField(default="", verbose_name="reason"),
        ),
        migrations.AddField(
            model_name="transfer",
            name="reverses_entry",
            field=models.SmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name="transfer",
            name="reverses_line",
            field=models.IntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="account",
            name="kind",
            field=models.CharField(
                choices=[
                    ("wallet", "Operator's wallet"),
                    ("stakes_held", "Stakes held"),
                    ("house", "House"),
                    ("customer", "Customer"),
                    ("receivable", "Owed by the customer"),
                ],
                max_length=16,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="transfer",
            name="purpose",
            field=models.CharField(
                choices=[
                    ("stakes_taken", "Stakes taken"),
                    ("stakes_settled", "Stakes settled"),
                    ("stake_returned", "Stake returned"),
                    ("payout", "Payout"),
                    ("reversal", "Reversal"),
                    ("shortfall", "Shortfall of the customer"),
                    ("paid_over", "Paid over to the gaming account"),
                ],
                max_length=16,
                verbose_name="purpose",
            ),
        ),
        migrations.AddIndex(
            model_name="transfer",
            index=models.Index(
                condition=models.Q(("credit__gte", 0)),
                fields=["credit", "origin"],
                name="transfer_by_credit",
            ),
        ),
        migrations.AddIndex(
            model_name="transfer",
            index=models.Index(
                condition=models.Q(("debit__gte", 0)),
                fields=["debit", "origin"],
                name="transfer_by_debit",
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind__in", ("customer", "receivable")),
                        ("customer__isnull", False),
                        (
                            "id",
                            django.db.models.expressions.CombinedExpression(
                                django.db.models.expressions.CombinedExpression(
                                    models.F("customer"), "*", models.Value(8)
                                ),
                                "+",
                                models.Case(
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "customer")),
                                        then=models.Value(0),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "customer")),
                                        then=models.Value(1),
                                    ),
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "receivable")),
                                        then=models.Value(2),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "receivable")),
                                        then=models.Value(3),
                                    ),
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "wallet")),
                                        then=models.Value(0),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "wallet")),
                                        then=models.Value(1),
                                    ),
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "stakes_held")),
                                        then=models.Value(2),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "stakes_held")),
                                        then=models.Value(3),
                                    ),
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "house")),
                                        then=models.Value(4),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "house")),
                                        then=models.Value(5),
                                    ),
                                ),
                            ),
                        ),
                        ("stripe", 0),
                    ),
                    models.Q(
                        models.Q(("kind__in", ("customer", "receivable")), _negated=True),
                        ("customer", None),
                        (
                            "id",
                            django.db.models.expressions.CombinedExpression(
                                django.db.models.expressions.CombinedExpression(
                                    models.Value(-1),
                                    "-",
                                    django.db.models.expressions.CombinedExpression(
                                        models.F("stripe"), "*", models.Value(8)
                                    ),
                                ),
                                "-",
                                models.Case(
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "customer")),
                                        then=models.Value(0),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "customer")),
                                        then=models.Value(1),
                                    ),
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "receivable")),
                                        then=models.Value(2),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "receivable")),
                                        then=models.Value(3),
                                    ),
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "wallet")),
                                        then=models.Value(0),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "wallet")),
                                        then=models.Value(1),
                                    ),
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "stakes_held")),
                                        then=models.Value(2),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "stakes_held")),
                                        then=models.Value(3),
                                    ),
                                    models.When(
                                        models.Q(("asset", "cash"), ("kind", "house")),
                                        then=models.Value(4),
                                    ),
                                    models.When(
                                        models.Q(("asset", "chips"), ("kind", "house")),
                                        then=models.Value(5),
                                    ),
                                ),
                            ),
                        ),
                    ),
                    _connector="OR",
                ),
                name="account_id_says_whose",
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "receivable"), _negated=True),
                    ("balance_cents__lte", 0),
                    _connector="OR",
                ),
                name="receivables_are_owed_to_us",
            ),
        ),
        migrations.AddConstraint(
            model_name="settlement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("approved_by", None), ("sequence", 1)),
                    models.Q(
                        ("approved_by__isnull", False),
                        models.Q(("approved_by", models.F("actor")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="settled_again_by_two",
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("purpose", "reversal"),
                        ("reverses_entry__lt", models.F("entry")),
                        ("reverses_line__isnull", False),
                    ),
                    models.Q(
                        models.Q(("purpose", "reversal"), _negated=True),
                        ("reverses_entry", None),
                        ("reverses_line", None),
                    ),
                    _connector="OR",
                ),
                name="reversal_names_what_it_reverses",
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.UniqueConstraint(
                condition=models.Q(("purpose", "reversal")),
                fields=("origin", "reverses_entry", "reverses_line"),
                name="transfer_reversed_once",
            ),
        ),
        migrations.RunPython(cut),
        migrations.RunSQL(_FINISH),
        migrations.RunSQL(_TOTALS),
        pgtrigger.migrations.AddTrigger(
            model_name="settlement",
            trigger=pgtrigger.compiler.Trigger(
                name="settlement_agrees",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE wrong record;",
                    func="\n        SET LOCAL enable_nestloop = off;\n        SET LOCAL enable_seqscan = off;\n        SELECT settled.round_id, settled.sequence INTO wrong\n          FROM new_settlements AS settled\n         CROSS JOIN LATERAL (\n    SELECT count(*) AS lines, count(bet.number) AS bets, count(graded.bet_number) AS graded,\n           count(*) FILTER (\n               WHERE coalesce(moved.cash, 0) = graded.payout_cents - graded.chips_cents\n                 AND coalesce(moved.chips, 0) = graded.chips_cents\n                 AND (moved.cents IS NULL OR moved.cents = graded.payout_cents\n                      AND moved.first = bet.customer_id AND moved.last = bet.customer_id)\n           ) AS fitting,\n           coalesce(sum(bet.stake_cents + bet.raised_cents), 0) AS staked,\n           coalesce(sum(graded.payout_cents), 0) AS paid,\n           coalesce(sum(graded.chips_cents), 0) AS chips\n      FROM (SELECT number, customer_id, stake_cents, raised_cents\n              FROM rounds_bet WHERE round_id = settled.round_id) AS bet\n      FULL JOIN (SELECT bet_number, payout_cents, chips_cents FROM payouts_betsettlement\n                  WHERE round_id = settled.round_id AND sequence = settled.sequence) AS graded\n        ON graded.bet_number = bet.number\n      FULL JOIN (SELECT bet_number, sum(amount_cents) AS cents,\n                        sum(amount_cents) FILTER (WHERE credit_id & 7 = 0) AS cash,\n                        sum(amount_cents) FILTER (WHERE credit_id & 7 = 1) AS chips,\n                        min(credit_id >> 3) AS first, max(credit_id >> 3) AS last\n                   FROM payouts_transfer\n                  WHERE origin = settled.round_id AND entry = settled.sequence\n                    AND purpose IN ('payout', 'stake_returned')\n                  GROUP BY bet_number) AS moved\n        ON moved.bet_number = graded.bet_number\n) AS told\n         WHERE (told.bets, told.graded, told.fitting) <> (told.lines, told.lines, told.lines)\n            OR (told.staked, told.paid, told.chips)\n               <> (settled.staked_cents, settled.payout_cents, settled.chips_cents)\n         LIMIT 1;\n        SET LOCAL enable_nestloop TO DEFAULT;\n        SET LOCAL enable_seqscan TO DEFAULT;\n        IF wrong.round_id IS NOT NULL THEN\n            RAISE EXCEPTION 'settlement % of round % disagrees with its bets or transfers',\n                wrong.sequence, wrong.round_id USING ERRCODE = 'integrity_constraint_violation';\n        END IF;\n        RETURN NULL;\n    ",
                    hash="93278377fb7be17c145dfa454235abf277253180",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_settlement_agrees_9fc03",
                    referencing="REFERENCING NEW TABLE AS new_settlements ",
                    table="payouts_settlement",
                    when="AFTER",
                ),
            ),
        ),
    ]

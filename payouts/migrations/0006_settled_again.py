import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    """Further settlements take back exactly what the one before made, and have a reason."""

    dependencies = [
        ("payouts", "0005_by_month"),
        ("rounds", "0006_by_month"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="settlement",
            name="settlement_agrees",
        ),
        migrations.RemoveConstraint(
            model_name="transfer",
            name="reversal_names_what_it_reverses",
        ),
        migrations.AddIndex(
            model_name="account",
            index=models.Index(
                condition=models.Q(("kind", "receivable")), fields=["id"], name="receivables"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="settlement",
            trigger=pgtrigger.compiler.Trigger(
                name="settlement_agrees",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE wrong record;",
                    func="\n        SET LOCAL enable_nestloop = off;\n        SET LOCAL enable_seqscan = off;\n        SELECT settled.round_id, settled.sequence INTO wrong\n          FROM new_settlements AS settled\n         CROSS JOIN LATERAL (\n    SELECT count(*) AS lines, count(bet.number) AS bets, count(graded.bet_number) AS graded,\n           count(*) FILTER (\n               WHERE coalesce(moved.cash, 0) = graded.payout_cents - graded.chips_cents\n                 AND coalesce(moved.chips, 0) = graded.chips_cents\n                 AND (moved.cents IS NULL OR moved.cents = graded.payout_cents\n                      AND moved.first = bet.customer_id AND moved.last = bet.customer_id)\n           ) AS fitting,\n           coalesce(sum(bet.stake_cents + bet.raised_cents), 0) AS staked,\n           coalesce(sum(graded.payout_cents), 0) AS paid,\n           coalesce(sum(graded.chips_cents), 0) AS chips\n      FROM (SELECT number, customer_id, stake_cents, raised_cents\n              FROM rounds_bet WHERE round_id = settled.round_id) AS bet\n      FULL JOIN (SELECT bet_number, payout_cents, chips_cents FROM payouts_betsettlement\n                  WHERE round_id = settled.round_id AND sequence = settled.sequence) AS graded\n        ON graded.bet_number = bet.number\n      FULL JOIN (SELECT bet_number, sum(amount_cents) AS cents,\n                        sum(amount_cents) FILTER (WHERE credit_id & 7 = 0) AS cash,\n                        sum(amount_cents) FILTER (WHERE credit_id & 7 = 1) AS chips,\n                        min(credit_id >> 3) AS first, max(credit_id >> 3) AS last\n                   FROM payouts_transfer\n                  WHERE origin = settled.round_id AND entry = settled.sequence\n                    AND purpose IN ('payout', 'stake_returned')\n                  GROUP BY bet_number) AS moved\n        ON moved.bet_number = graded.bet_number\n) AS told\n         WHERE (told.bets, told.graded, told.fitting) <> (told.lines, told.lines, told.lines)\n            OR (told.staked, told.paid, told.chips)\n               <> (settled.staked_cents, settled.payout_cents, settled.chips_cents)\n         LIMIT 1;\n        IF wrong.round_id IS NULL AND EXISTS (SELECT FROM new_settlements WHERE sequence > 1) THEN\n            SELECT settled.round_id, settled.sequence INTO wrong\n              FROM new_settlements AS settled\n             CROSS JOIN LATERAL (\n    SELECT count(*) AS lines,\n           count(*) FILTER (WHERE (back.debit_id, back.credit_id, back.amount_cents)\n                                = (made.credit_id, made.debit_id, made.amount_cents)\n                              AND back.bet_number IS NOT DISTINCT FROM made.bet_number) AS fitting\n      FROM (SELECT * FROM payouts_transfer\n             WHERE origin = settled.round_id AND entry = settled.sequence - 1\n               AND purpose <> 'reversal') AS made\n      FULL JOIN (SELECT * FROM payouts_transfer\n                  WHERE origin = settled.round_id AND entry = settled.sequence\n                    AND purpose = 'reversal') AS back\n        ON back.reverses_line = made.line AND back.reverses_entry = made.entry\n) AS undone\n             CROSS JOIN LATERAL (\n    SELECT count(*) AS lines,\n           count(*) FILTER (\n               WHERE moved.debit_id = moved.credit_id + 2\n                 AND (SELECT balance_cents FROM payouts_account\n                       WHERE id = moved.credit_id AND kind = 'customer') = 0) AS fitting\n      FROM payouts_transfer AS moved\n     WHERE moved.origin = settled.round_id AND moved.entry = settled.sequence\n       AND moved.purpose = 'shortfall'\n) AS short\n             WHERE settled.sequence > 1\n               AND (undone.fitting <> undone.lines OR short.fitting <> short.lines\n                    OR NOT EXISTS (SELECT FROM payouts_settlement AS before\n                                    WHERE before.round_id = settled.round_id\n                                      AND before.sequence = settled.sequence - 1))\n             LIMIT 1;\n        END IF;\n        SET LOCAL enable_nestloop TO DEFAULT;\n        SET LOCAL enable_seqscan TO DEFAULT;\n        IF wrong.round_id IS NOT NULL THEN\n            RAISE EXCEPTION 'settlement % of round % disagrees with its bets or transfers',\n                wrong.sequence, wrong.round_id USING ERRCODE = 'integrity_constraint_violation';\n        END IF;\n        RETURN NULL;\n    ",
                    hash="762f38a610063b5a2553a6b4f8c1d01045c3da10",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_settlement_agrees_9fc03",
                    referencing="REFERENCING NEW TABLE AS new_settlements ",
                    table="payouts_settlement",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="settlement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("approved_by", None), models.Q(("reason", ""), _negated=True), _connector="OR"
                ),
                name="decided_with_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("purpose", "reversal"),
                        ("reverses_entry__gte", 1),
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
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("purpose", "shortfall"), _negated=True),
                    ("entry__gt", 1),
                    _connector="OR",
                ),
                name="only_reversals_leave_a_shortfall",
            ),
        ),
    ]

"""Settlements by two persons without a case are from before; reconciliation names new ones."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("signatures", "0004_browser_keys"),
        ("trail", "0008_plain_labels"),
        ("payouts", "0041_decision_differences"),
    ]

    operations = [
        migrations.RunSQL(
            """
            INSERT INTO signatures_earlierdecision (record_id)
            SELECT record.id
              FROM payouts_settlement AS settled
              JOIN rounds_round AS round ON round.id = settled.round_id
              JOIN trail_auditrecord AS record
                ON record.subject = 'round:' || round.reference
               AND record.details::jsonb ->> 'settlement' = settled.sequence::text
             WHERE settled.approved_by IS NOT NULL
               AND NOT EXISTS (SELECT FROM payouts_casework AS work
                                WHERE work.round_id = settled.round_id
                                  AND work.sequence = settled.sequence AND work.outcome = 'done')
            ON CONFLICT DO NOTHING
            """,
            reverse_sql=migrations.RunSQL.noop,
        ),
    ]

import django.contrib.postgres.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    """What holds a round because of how it arrived; empty years may be left out of closed days."""

    dependencies = [
        ("rounds", "0015_round_by_rules"),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name="closedday",
            name="closed_days_in_order",
        ),
        migrations.AddField(
            model_name="round",
            name="arrival_anomalies",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=32), db_default=[], size=None
            ),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(
                condition=models.Q(("arrival_anomalies", []), _negated=True),
                fields=["source", "id"],
                name="round_held_on_arrival",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="closedday",
            trigger=pgtrigger.compiler.Trigger(
                name="closed_days_in_order",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE latest date;",
                    func="\n        SELECT max(day) INTO latest FROM rounds_closedday;\n        IF NEW.day <> latest + 1\n           AND (NEW.day < latest + 367\n                OR EXISTS (SELECT FROM rounds_round\n                            WHERE booked_on > latest AND booked_on < NEW.day)) THEN\n            RAISE EXCEPTION 'found day %; needed the day after the last that is closed', NEW.day\n                USING ERRCODE = 'integrity_constraint_violation';\n        END IF;\n        RETURN NEW;\n    ",
                    hash="806a842cad6c06d486b40632bd4ba01fa8a74dcd",
                    operation="INSERT",
                    pgid="pgtrigger_closed_days_in_order_f1b82",
                    table="rounds_closedday",
                    when="BEFORE",
                ),
            ),
        ),
    ]

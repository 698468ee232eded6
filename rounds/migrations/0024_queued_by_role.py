"""Which role stored a waiting round. Those that wait now count as stored by web hosts. No rewrite."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rounds", "0023_dealer_and_video"),
    ]

    operations = [
        migrations.AddField(
            model_name="queuedround",
            name="is_from_feed",
            field=models.BooleanField(db_default=False),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="queuedround",
            trigger=pgtrigger.compiler.Trigger(
                name="queued_by_role",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF TG_OP = 'INSERT' THEN  -- hosts that change accounts are no feed\n                        NEW.is_from_feed := NOT has_table_privilege('public.auth_user', 'UPDATE');\n                    ELSIF (NEW.round_id, NEW.arrival, NEW.is_from_feed)\n                          IS DISTINCT FROM (OLD.round_id, OLD.arrival, OLD.is_from_feed) THEN\n                        RAISE EXCEPTION 'round %: who stored it does not change', OLD.round_id\n                            USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="820e1cd14a1b8578db0a2c5d8e6c657fefbfc8f8",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_queued_by_role_5fd17",
                    table="rounds_queuedround",
                    when="BEFORE",
                ),
            ),
        ),
    ]

"""Rule sets that exist settle rounds as before; later ones need a signature first.

Those that a release recorded, and those by which rounds were validated before releases did. One
pass over the rounds; no lock on tables.
"""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("signatures", "0005_two_approvals"),
        ("rounds", "0026_round_videos"),
    ]

    operations = [
        migrations.CreateModel(
            name="EarlierRuleSet",
            fields=[
                ("digest", models.BinaryField(primary_key=True, serialize=False)),
            ],
            options={
                "verbose_name": "rule set from before signatures",
                "verbose_name_plural": "rule sets from before signatures",
                "default_permissions": (),
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earlierruleset",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_rule_set_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="bf94c40ab422f2c588272a32f54dbab3236b9931",
                    operation="UPDATE",
                    pgid="pgtrigger_earlier_rule_set_no_update_b00b3",
                    table="rounds_earlierruleset",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earlierruleset",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_rule_set_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="41288c85d2359b9578ae6e0776e8b3a450c027ef",
                    operation="DELETE",
                    pgid="pgtrigger_earlier_rule_set_no_delete_1e7c2",
                    table="rounds_earlierruleset",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earlierruleset",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_rule_set_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="3d8da9cd943cc783edcdc065af55538f4fc841e7",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_earlier_rule_set_no_truncate_7782a",
                    table="rounds_earlierruleset",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earlierruleset",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_rule_set_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'digest'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="e97295113651d8a7b24dc11def6e4d0199efa98a",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_earlier_rule_set_kept_85cab",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_earlierruleset",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(
            """
            INSERT INTO rounds_earlierruleset (digest)
            SELECT decode(details::jsonb ->> 'digest', 'hex')
              FROM trail_auditrecord
             WHERE action = 'RULES_PUT_IN_FORCE'
             UNION
            SELECT rules_digest
              FROM rounds_round AS round
             WHERE EXISTS (SELECT FROM rounds_validation AS validated
                            WHERE validated.round_id = round.id)
            """,
            reverse_sql=migrations.RunSQL.noop,
        ),
    ]

"""Roles are verified from now on; those given before are kept as they are. No lock."""

import django.contrib.postgres.fields
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("casino", "0008_signed_access"),
        ("trail", "0008_plain_labels"),
    ]

    operations = [
        migrations.CreateModel(
            name="EarlierRoles",
            fields=[
                ("person_id", models.BigIntegerField(primary_key=True, serialize=False)),
                (
                    "roles",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=150), size=None
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="HostRecord",
            fields=[],
            options={
                "proxy": True,
                "default_permissions": (),
                "indexes": [],
                "constraints": [],
            },
            bases=("trail.auditrecord",),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earlierroles",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_roles_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="d7cbe9439f453ae04984bcd51c485bca4e24abe3",
                    operation="UPDATE",
                    pgid="pgtrigger_earlier_roles_no_update_dde48",
                    table="casino_earlierroles",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earlierroles",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_roles_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="25046c696cca1deabc861a33ad8a5dc8d8ed29bb",
                    operation="DELETE",
                    pgid="pgtrigger_earlier_roles_no_delete_352ea",
                    table="casino_earlierroles",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earlierroles",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_roles_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="388b21f3178df7830805c9ab8e9837b0560f0ab1",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_earlier_roles_no_truncate_4a401",
                    table="casino_earlierroles",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="earlierroles",
            trigger=pgtrigger.compiler.Trigger(
                name="earlier_roles_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'person_id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="b74536b9df6537a2746528796ef6334cdbce225a",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_earlier_roles_kept_073ce",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="casino_earlierroles",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="hostrecord",
            trigger=pgtrigger.compiler.Trigger(
                name="host_record_by_owner",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.action IN ('ADMINISTRATOR_MADE', 'ROLES_GIVEN_ON_HOST') AND NOT has_table_privilege('public.auth_group', 'INSERT'))",
                    func="\n                    RAISE EXCEPTION '% may not record %', current_user, NEW.action\n                        USING ERRCODE = 'insufficient_privilege';\n                ",
                    hash="e97e8ee94aeeefdf1d116c6c79f5b22f0e6a3897",
                    operation="INSERT",
                    pgid="pgtrigger_host_record_by_owner_f482e",
                    table="trail_auditrecord",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(
            """
            INSERT INTO casino_earlierroles (person_id, roles, at)
            SELECT member.user_id, array_agg(role.name ORDER BY role.name), now()
              FROM auth_user_groups AS member JOIN auth_group AS role ON role.id = member.group_id
             GROUP BY member.user_id
            """,
            reverse_sql=migrations.RunSQL.noop,
        ),
    ]

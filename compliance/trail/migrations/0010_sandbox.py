"""A database says itself whether it is that of a sandbox. No lock."""

from typing import Any

import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone


def begin_sandbox(apps: Any, _editor: Any) -> None:
    """In an empty database where SANDBOX is set, or in that of an earlier demo."""
    records = apps.get_model("trail", "AuditRecord").objects
    of_demo = records.filter(actor="demo", action="ROLES_GIVEN_ON_HOST")
    if settings.SANDBOX and (of_demo.exists() or not records.exists()):
        apps.get_model("trail", "SandboxStart").objects.create(at=timezone.now())


class Migration(migrations.Migration):
    dependencies = [
        ("trail", "0009_records_by_person_and_action"),
    ]

    operations = [
        migrations.CreateModel(
            name="SandboxStart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.RunPython(begin_sandbox, migrations.RunPython.noop),  # before the triggers
        pgtrigger.migrations.AddTrigger(
            model_name="sandboxstart",
            trigger=pgtrigger.compiler.Trigger(
                name="sandbox_start_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="93e2d997f26dfe7ff0362a1e6094b645db5ca79a",
                    operation="UPDATE",
                    pgid="pgtrigger_sandbox_start_no_update_02241",
                    table="trail_sandboxstart",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sandboxstart",
            trigger=pgtrigger.compiler.Trigger(
                name="sandbox_start_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="d741948cd625673cae4a498d846edea8bc5075ce",
                    operation="DELETE",
                    pgid="pgtrigger_sandbox_start_no_delete_3aa1d",
                    table="trail_sandboxstart",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sandboxstart",
            trigger=pgtrigger.compiler.Trigger(
                name="sandbox_start_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="3390a4cf5d2aa873058d616fb4a29132699de29b",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_sandbox_start_no_truncate_52288",
                    table="trail_sandboxstart",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sandboxstart",
            trigger=pgtrigger.compiler.Trigger(
                name="sandbox_start_while_empty",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    IF NOT EXISTS (SELECT FROM trail_sandboxstart) AND EXISTS (SELECT FROM trail_auditbatch) THEN\n        RAISE EXCEPTION 'found audit records; needed an empty database to make it a sandbox'\n            USING ERRCODE = 'check_violation';\n    END IF;\n    RETURN NEW;\n",
                    hash="4530ac2958daa79ba4a5a3172e3c76f63102cd0b",
                    operation="INSERT",
                    pgid="pgtrigger_sandbox_start_while_empty_ecd8b",
                    table="trail_sandboxstart",
                    when="BEFORE",
                ),
            ),
        ),
    ]

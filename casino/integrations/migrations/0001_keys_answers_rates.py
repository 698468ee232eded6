import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    """Keys, the answers that are given once, and rates, which need no log: a crash forgives them."""

    dependencies = [
        ("trail", "0006_kept_rows"),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("handle", models.CharField(max_length=12, unique=True, verbose_name="key")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("studio", "Studio"),
                            ("customer_service", "Customer service"),
                            ("regulatory", "System that faces the regulator"),
                            ("customer", "Customer"),
                        ],
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("owner", models.CharField(max_length=100, verbose_name="owner")),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20), size=None, verbose_name="may"
                    ),
                ),
                (
                    "networks",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=43),
                        size=None,
                        verbose_name="from addresses",
                    ),
                ),
                (
                    "tables",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), size=None, verbose_name="tables"
                    ),
                ),
                ("customer", models.TextField(null=True, verbose_name="customer")),
                ("calls_per_minute", models.IntegerField(verbose_name="calls a minute")),
                ("expires_at", models.DateTimeField(null=True, verbose_name="expires")),
                ("issued_at", models.DateTimeField(verbose_name="issued")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                ("actor_user_id", models.BigIntegerField(null=True)),
                (
                    "issued_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="api.apikey",
                        verbose_name="issued by key",
                    ),
                ),
            ],
            options={
                "verbose_name": "API key",
                "verbose_name_plural": "API keys",
                "permissions": [("manage_keys", "Can issue, rotate and revoke API keys")],
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="SpentRate",
            fields=[
                ("caller", models.TextField(primary_key=True, serialize=False)),
                ("whole_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "spent rate",
                "verbose_name_plural": "spent rates",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="KeyRevocation",
            fields=[
                (
                    "key",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="revocation",
                        serialize=False,
                        to="api.apikey",
                        verbose_name="key",
                    ),
                ),
                ("reason", models.TextField(verbose_name="why")),
                ("revoked_at", models.DateTimeField(verbose_name="revoked")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                ("actor_user_id", models.BigIntegerField()),
            ],
            options={
                "verbose_name": "revocation of an API key",
                "verbose_name_plural": "revocations of API keys",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="KeyUse",
            fields=[
                (
                    "key",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="use",
                        serialize=False,
                        to="api.apikey",
                    ),
                ),
                ("used_at", models.DateTimeField(verbose_name="last used")),
                ("address", models.GenericIPAddressField(null=True, verbose_name="address")),
            ],
            options={
                "verbose_name": "last use of an API key",
                "verbose_name_plural": "last uses of API keys",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="GivenAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("idempotency_key", models.CharField(max_length=255)),
                ("asked", models.BinaryField(max_length=32)),
                ("status", models.SmallIntegerField()),
                ("headers", models.JSONField()),
                ("content", models.BinaryField()),
                ("given_at", models.DateTimeField(db_index=True)),
                (
                    "key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="api.apikey",
                    ),
                ),
            ],
            options={
                "verbose_name": "answer given once",
                "verbose_name_plural": "answers given once",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="KeySecret",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.IntegerField()),
                ("digest", models.BinaryField(max_length=32)),
                ("earlier_until", models.DateTimeField(verbose_name="earlier secrets work until")),
                ("made_at", models.DateTimeField(verbose_name="made")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                ("actor_user_id", models.BigIntegerField(null=True)),
                (
                    "key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="secrets",
                        to="api.apikey",
                    ),
                ),
            ],
            options={
                "verbose_name": "secret of an API key",
                "verbose_name_plural": "secrets of API keys",
                "default_permissions": (),
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keyrevocation",
            trigger=pgtrigger.compiler.Trigger(
                name="api_revocation_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="b9cf3a297609b009b3e4005e087ec252611ff88c",
                    operation="UPDATE",
                    pgid="pgtrigger_api_revocation_no_update_7717d",
                    table="api_keyrevocation",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keyrevocation",
            trigger=pgtrigger.compiler.Trigger(
                name="api_revocation_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="0079f0e4ccbcc2d87c8247058ecff2b4ef2ff142",
                    operation="DELETE",
                    pgid="pgtrigger_api_revocation_no_delete_9aef8",
                    table="api_keyrevocation",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keyrevocation",
            trigger=pgtrigger.compiler.Trigger(
                name="api_revocation_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="46e05dab4cca36a4843188be21e520e60bee5f72",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_api_revocation_no_truncate_df0d8",
                    table="api_keyrevocation",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keyrevocation",
            trigger=pgtrigger.compiler.Trigger(
                name="api_revocation_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'key_id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="7df0d3939960e6d2c015b3693c4052c2db43199f",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_api_revocation_kept_c554b",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="api_keyrevocation",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("customer__isnull", False),
                        ("expires_at__isnull", False),
                        ("kind", "customer"),
                    ),
                    models.Q(models.Q(("kind", "customer"), _negated=True), ("customer", None)),
                    _connector="OR",
                ),
                name="api_key_of_a_customer_is_bound",
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.CheckConstraint(
                condition=models.Q(("calls_per_minute__gte", 1)), name="api_key_has_a_rate"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="apikey",
            trigger=pgtrigger.compiler.Trigger(
                name="api_key_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="6e3b624fe23989a966b72f93b1376b9031b79d07",
                    operation="UPDATE",
                    pgid="pgtrigger_api_key_no_update_41ee8",
                    table="api_apikey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="apikey",
            trigger=pgtrigger.compiler.Trigger(
                name="api_key_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="508ac94893602da5a877366b33c8ac543836766d",
                    operation="DELETE",
                    pgid="pgtrigger_api_key_no_delete_0b123",
                    table="api_apikey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="apikey",
            trigger=pgtrigger.compiler.Trigger(
                name="api_key_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="630612b876f80948e1bcd565a9f4dd0cd8b204e8",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_api_key_no_truncate_748c7",
                    table="api_apikey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="apikey",
            trigger=pgtrigger.compiler.Trigger(
                name="api_key_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="a0bb646add8becc31c25cb4c0d528b61daa85ffe",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_api_key_kept_7beab",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="api_apikey",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="givenanswer",
            constraint=models.UniqueConstraint(
                fields=("key", "idempotency_key"), name="one_answer_an_idempotency_key"
            ),
        ),
        migrations.AddConstraint(
            model_name="keysecret",
            constraint=models.UniqueConstraint(
                fields=("key", "sequence"), name="one_secret_a_sequence"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keysecret",
            trigger=pgtrigger.compiler.Trigger(
                name="api_secret_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="3de464cc92cce00c36ff4066493cb73b2c7e997d",
                    operation="UPDATE",
                    pgid="pgtrigger_api_secret_no_update_fa9c0",
                    table="api_keysecret",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keysecret",
            trigger=pgtrigger.compiler.Trigger(
                name="api_secret_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="e00d5953f68f97e12f025eec337b9cfe3f1c276a",
                    operation="DELETE",
                    pgid="pgtrigger_api_secret_no_delete_95120",
                    table="api_keysecret",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keysecret",
            trigger=pgtrigger.compiler.Trigger(
                name="api_secret_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="249d54d96fd7bba9bf50d70ac7b99e920f1bffc5",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_api_secret_no_truncate_7fd06",
                    table="api_keysecret",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="keysecret",
            trigger=pgtrigger.compiler.Trigger(
                name="api_secret_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="6d8bb8042a9a7edcb6e0b03a3751822e70e75207",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_api_secret_kept_68391",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="api_keysecret",
                    when="AFTER",
                ),
            ),
        ),
        migrations.RunSQL(
            "ALTER TABLE api_spentrate SET UNLOGGED; ALTER TABLE api_spentrate SET (fillfactor = 50)",
            migrations.RunSQL.noop,
        ),
    ]

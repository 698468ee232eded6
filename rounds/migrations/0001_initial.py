import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="ConflictingDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=200, verbose_name="came from")),
                ("line", models.IntegerField(verbose_name="line")),
                ("content", models.BinaryField(verbose_name="document")),
                ("digest", models.BinaryField(max_length=32)),
                ("received_at", models.DateTimeField(verbose_name="received")),
            ],
            options={
                "verbose_name": "conflicting document",
                "verbose_name_plural": "conflicting documents",
                "abstract": False,
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="Customer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pseudonym", models.TextField(unique=True, verbose_name="pseudonym")),
            ],
            options={
                "verbose_name": "customer",
                "verbose_name_plural": "customers",
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("arrival", models.BigIntegerField(unique=True)),
                ("reference", models.CharField(max_length=64, unique=True, verbose_name="round")),
                ("rules", models.CharField(max_length=64, verbose_name="rule set")),
                ("shoe", models.TextField(null=True, verbose_name="shoe")),
                ("drawn", models.BigIntegerField(null=True, verbose_name="cards drawn before")),
                ("shoe_position", models.BigIntegerField(null=True)),
                ("shoe_seen", models.BinaryField(max_length=52, null=True)),
                ("opened_at", models.DateTimeField(verbose_name="opened")),
                ("closed_at", models.DateTimeField(verbose_name="betting closed")),
                ("ended_at", models.DateTimeField(verbose_name="ended")),
                ("session", models.TextField(verbose_name="AAMS session")),
                (
                    "cards",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=8), size=None, verbose_name="cards"
                    ),
                ),
                ("multipliers", models.JSONField(null=True)),
                ("bonus", models.JSONField(null=True)),
                ("disconnects", models.JSONField(null=True)),
                ("malfunction", models.BooleanField(verbose_name="declared broken by the studio")),
                ("bet_count", models.IntegerField(verbose_name="bets")),
                ("staked_cents", models.BigIntegerField(verbose_name="staked")),
                ("digest", models.BinaryField(max_length=32)),
                ("source", models.CharField(max_length=200, verbose_name="came from")),
                ("received_at", models.DateTimeField(verbose_name="received")),
            ],
            options={
                "verbose_name": "round",
                "verbose_name_plural": "rounds",
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="ShoeOpening",
            fields=[
                ("arrival", models.BigIntegerField(primary_key=True, serialize=False)),
                ("shoe", models.TextField(verbose_name="shoe")),
                ("opened_at", models.DateTimeField(verbose_name="opened")),
                (
                    "burnt",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=2),
                        size=None,
                        verbose_name="burnt face up",
                    ),
                ),
                ("burnt_face_down", models.BigIntegerField(verbose_name="burnt face down")),
                ("digest", models.BinaryField(max_length=32)),
                ("received_at", models.DateTimeField(verbose_name="received")),
            ],
            options={
                "verbose_name": "shoe opening",
                "verbose_name_plural": "shoe openings",
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="StakeLimit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=32, verbose_name="bet kind")),
                ("min_cents", models.BigIntegerField(verbose_name="least stake")),
                ("max_cents", models.BigIntegerField(verbose_name="greatest stake")),
            ],
            options={
                "verbose_name": "stake limit",
                "verbose_name_plural": "stake limits",
            },
        ),
        migrations.CreateModel(
            name="StakeLimitSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("decided_at", models.DateTimeField(verbose_name="decided")),
                ("decided_by", models.CharField(max_length=200, verbose_name="decided by")),
            ],
            options={
                "verbose_name": "set of stake limits",
                "verbose_name_plural": "sets of stake limits",
                "ordering": ["-id"],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=64, unique=True, verbose_name="code")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("rules", models.CharField(max_length=64, verbose_name="rule set")),
            ],
            options={
                "verbose_name": "table",
                "verbose_name_plural": "tables",
                "ordering": ["code"],
            },
        ),
        migrations.CreateModel(
            name="QuarantinedDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=200, verbose_name="came from")),
                ("line", models.IntegerField(verbose_name="line")),
                ("content", models.BinaryField(verbose_name="document")),
                ("digest", models.BinaryField(max_length=32)),
                ("received_at", models.DateTimeField(verbose_name="received")),
                (
                    "round_reference",
                    models.CharField(max_length=64, null=True, verbose_name="round"),
                ),
                ("field", models.CharField(max_length=200, verbose_name="field")),
                ("found", models.TextField(verbose_name="found")),
                ("needed", models.TextField(verbose_name="needed")),
            ],
            options={
                "verbose_name": "quarantined document",
                "verbose_name_plural": "quarantined documents",
                "abstract": False,
                "default_permissions": ("view",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("source", "line", "digest"), name="quarantined_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="QueuedRound",
            fields=[
                (
                    "round",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        serialize=False,
                        to="rounds.round",
                    ),
                ),
                ("arrival", models.BigIntegerField(unique=True)),
                ("bet_count", models.IntegerField()),
                ("due_at", models.DateTimeField(verbose_name="next try")),
                ("attempts", models.IntegerField(default=0, verbose_name="tries")),
                ("last_error", models.TextField(default="", verbose_name="last error")),
            ],
            options={
                "verbose_name": "waiting round",
                "verbose_name_plural": "waiting rounds",
                "default_permissions": ("view",),
            },
        ),
        migrations.AddField(
            model_name="conflictingdocument",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="conflicts",
                to="rounds.round",
            ),
        ),
        migrations.AddField(
            model_name="stakelimit",
            name="limit_set",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="limits",
                to="rounds.stakelimitset",
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="limit_set",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                to="rounds.stakelimitset",
            ),
        ),
        migrations.AddField(
            model_name="stakelimitset",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="limit_sets",
                to="rounds.table",
            ),
        ),
        migrations.AddField(
            model_name="shoeopening",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="shoe_openings",
                to="rounds.table",
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rounds",
                to="rounds.table",
                verbose_name="table",
            ),
        ),
        migrations.CreateModel(
            name="Validation",
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
                (
                    "round",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="validations",
                        to="rounds.round",
                    ),
                ),
                ("sequence", models.SmallIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[("validated", "Validated"), ("held", "Held")],
                        max_length=16,
                        verbose_name="status",
                    ),
                ),
                (
                    "anomalies",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=32),
                        size=None,
                        verbose_name="anomalies",
                    ),
                ),
                ("validated_at", models.DateTimeField(verbose_name="when")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
            ],
            options={
                "verbose_name": "validation",
                "verbose_name_plural": "validations",
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="Bet",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "round_id",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="bets",
                        to="rounds.round",
                    ),
                ),
                ("number", models.IntegerField()),
                ("reference", models.TextField(verbose_name="bet")),
                ("participation", models.TextField(verbose_name="AAMS participation")),
                ("box", models.SmallIntegerField(null=True, verbose_name="box")),
                ("kind", models.CharField(max_length=32, verbose_name="kind")),
                ("stake_cents", models.BigIntegerField(verbose_name="stake")),
                ("raised_cents", models.BigIntegerField(verbose_name="raised")),
                ("play", models.TextField(verbose_name="play")),
                ("golden", models.BooleanField(verbose_name="golden chips")),
                ("behind", models.BooleanField(verbose_name="bet behind")),
                ("follows", models.BooleanField(verbose_name="follows the owner's raises")),
                ("placed_at", models.DateTimeField(verbose_name="placed")),
                (
                    "reported_cents",
                    models.BigIntegerField(null=True, verbose_name="credited, says the studio"),
                ),
                (
                    "customer",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="bets",
                        to="rounds.customer",
                    ),
                ),
            ],
            options={
                "verbose_name": "bet",
                "verbose_name_plural": "bets",
                "default_permissions": ("view",),
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="quarantineddocument",
            trigger=pgtrigger.compiler.Trigger(
                name="quarantine_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="360354c81ae506511ba6dc14866685685a83548a",
                    operation="UPDATE",
                    pgid="pgtrigger_quarantine_no_update_0d96d",
                    table="rounds_quarantineddocument",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="quarantineddocument",
            trigger=pgtrigger.compiler.Trigger(
                name="quarantine_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="305a5211aa9b59830b20fd25d3be536e4076b465",
                    operation="DELETE",
                    pgid="pgtrigger_quarantine_no_delete_b5752",
                    table="rounds_quarantineddocument",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="quarantineddocument",
            trigger=pgtrigger.compiler.Trigger(
                name="quarantine_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="0060cffc4d28e86c37385b5a0fb44460a811034c",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_quarantine_no_truncate_332c5",
                    table="rounds_quarantineddocument",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="conflictingdocument",
            constraint=models.UniqueConstraint(
                fields=("round", "digest"), name="conflict_kept_once"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="conflictingdocument",
            trigger=pgtrigger.compiler.Trigger(
                name="conflict_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="23428f151c7d1be5c0a660dbfc54135f68d3cb14",
                    operation="UPDATE",
                    pgid="pgtrigger_conflict_no_update_62305",
                    table="rounds_conflictingdocument",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="conflictingdocument",
            trigger=pgtrigger.compiler.Trigger(
                name="conflict_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="033a13056bef7fb27a8d526935f4fe2fc0d3b227",
                    operation="DELETE",
                    pgid="pgtrigger_conflict_no_delete_ffa0a",
                    table="rounds_conflictingdocument",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="conflictingdocument",
            trigger=pgtrigger.compiler.Trigger(
                name="conflict_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="48bd6a7bd6ac775e3e627b9b9a07c96c73481533",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_conflict_no_truncate_e49b3",
                    table="rounds_conflictingdocument",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="bet",
            index=models.Index(fields=["customer", "-round"], name="bet_by_customer"),
        ),
        migrations.AddIndex(
            model_name="bet",
            index=models.Index(fields=["participation"], name="bet_by_participation"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="bet",
            trigger=pgtrigger.compiler.Trigger(
                name="bet_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="98478d84247751d35a54bd88c68962379e3a0dc9",
                    operation="UPDATE",
                    pgid="pgtrigger_bet_no_update_5319c",
                    table="rounds_bet",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="bet",
            trigger=pgtrigger.compiler.Trigger(
                name="bet_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="764308186eb119745161870f5769cc2f1666b242",
                    operation="DELETE",
                    pgid="pgtrigger_bet_no_delete_1e478",
                    table="rounds_bet",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="bet",
            trigger=pgtrigger.compiler.Trigger(
                name="bet_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="ee371e5ee13cdb4ce075591fc6032fce42352b89",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_bet_no_truncate_ed09e",
                    table="rounds_bet",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="stakelimit",
            constraint=models.UniqueConstraint(
                fields=("limit_set", "kind"), name="one_limit_a_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="stakelimit",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("max_cents__gte", models.F("min_cents")), ("min_cents__gte", 1)
                ),
                name="limit_in_order",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stakelimit",
            trigger=pgtrigger.compiler.Trigger(
                name="limit_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="2b03ab147f0dbf1734505f9146f298889cea2556",
                    operation="UPDATE",
                    pgid="pgtrigger_limit_no_update_87c0f",
                    table="rounds_stakelimit",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stakelimit",
            trigger=pgtrigger.compiler.Trigger(
                name="limit_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="9237fdc520ad80d77035a59c70f0ba10a26b8d81",
                    operation="DELETE",
                    pgid="pgtrigger_limit_no_delete_ce061",
                    table="rounds_stakelimit",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stakelimit",
            trigger=pgtrigger.compiler.Trigger(
                name="limit_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="b0fef7035c44a89d634dfbfe6f28c70b5ed68206",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_limit_no_truncate_68832",
                    table="rounds_stakelimit",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stakelimitset",
            trigger=pgtrigger.compiler.Trigger(
                name="limit_set_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="bb0a50d44782a15e259d11681680623a61c3de61",
                    operation="UPDATE",
                    pgid="pgtrigger_limit_set_no_update_80e55",
                    table="rounds_stakelimitset",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stakelimitset",
            trigger=pgtrigger.compiler.Trigger(
                name="limit_set_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="b7810955cf13b8bb2edf5d5feee4665637754ccd",
                    operation="DELETE",
                    pgid="pgtrigger_limit_set_no_delete_806f3",
                    table="rounds_stakelimitset",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="stakelimitset",
            trigger=pgtrigger.compiler.Trigger(
                name="limit_set_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="04063dc47203990a6bb64252b0b83e526294ae9b",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_limit_set_no_truncate_6bd2a",
                    table="rounds_stakelimitset",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="shoeopening",
            constraint=models.UniqueConstraint(
                fields=("shoe", "digest"), name="one_opening_a_content"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="shoeopening",
            trigger=pgtrigger.compiler.Trigger(
                name="shoe_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="7e65a4687b07957edd914f0b903508b36bd22900",
                    operation="UPDATE",
                    pgid="pgtrigger_shoe_no_update_d4174",
                    table="rounds_shoeopening",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="shoeopening",
            trigger=pgtrigger.compiler.Trigger(
                name="shoe_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="e652310d9a06076c5cc3e6b993b930858cd1190d",
                    operation="DELETE",
                    pgid="pgtrigger_shoe_no_delete_831d0",
                    table="rounds_shoeopening",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="shoeopening",
            trigger=pgtrigger.compiler.Trigger(
                name="shoe_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="20e1ccebff3fb47c4bdcaa5e3be7d058ff1fd1a4",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_shoe_no_truncate_368c9",
                    table="rounds_shoeopening",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(fields=["opened_at"], name="round_by_time"),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(fields=["session"], name="round_by_session"),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(fields=["shoe", "-arrival"], name="round_by_shoe"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="round",
            trigger=pgtrigger.compiler.Trigger(
                name="round_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="9de780df6e4f9ce4f0295a8ec1ea3443b5363435",
                    operation="UPDATE",
                    pgid="pgtrigger_round_no_update_0c109",
                    table="rounds_round",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="round",
            trigger=pgtrigger.compiler.Trigger(
                name="round_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="fa4ce3d050563807a9dbd09910caccb29e7c97b6",
                    operation="DELETE",
                    pgid="pgtrigger_round_no_delete_a8ca3",
                    table="rounds_round",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="round",
            trigger=pgtrigger.compiler.Trigger(
                name="round_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="2610ebb63ec290646bb3fe419619f28bd8815327",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_round_no_truncate_d6a2d",
                    table="rounds_round",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="validation",
            index=models.Index(
                condition=models.Q(("status", "held")), fields=["round"], name="held_rounds"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="validation",
            trigger=pgtrigger.compiler.Trigger(
                name="validation_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="d13cf019eadb56add0517f58de0013f694111c75",
                    operation="UPDATE",
                    pgid="pgtrigger_validation_no_update_a7981",
                    table="rounds_validation",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="validation",
            trigger=pgtrigger.compiler.Trigger(
                name="validation_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="5804e5fb6f8840922bac93631cd3fa3857e11bc8",
                    operation="DELETE",
                    pgid="pgtrigger_validation_no_delete_a08c4",
                    table="rounds_validation",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="validation",
            trigger=pgtrigger.compiler.Trigger(
                name="validation_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="b115fd91d45a3305c5419947656669fb849654d1",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_validation_no_truncate_c4f79",
                    table="rounds_validation",
                    when="BEFORE",
                ),
            ),
        ),
    ]

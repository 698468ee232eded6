import django.contrib.postgres.fields
import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    """Studio keys, the signature setting of tables, and what was signed."""

    dependencies = [
        ("rounds", "0017_plain_labels"),
    ]

    operations = [
        migrations.CreateModel(
            name="SignedBatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "form",
                    models.CharField(
                        choices=[
                            ("http", "HTTP Message Signature (RFC 9421)"),
                            ("lines", "JSON Web Signature of lines (RFC 7515)"),
                        ],
                        max_length=8,
                        verbose_name="form",
                    ),
                ),
                ("signed_text", models.BinaryField()),
                ("signature", models.BinaryField(max_length=64, unique=True)),
                ("content_digest", models.BinaryField(max_length=32)),
                ("source", models.CharField(max_length=200, verbose_name="source")),
                ("received_at", models.DateTimeField(verbose_name="received")),
            ],
            options={
                "verbose_name": "signed batch",
                "verbose_name_plural": "signed batches",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="SignedChunk",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "batch_id",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "batch",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chunks",
                        to="rounds.signedbatch",
                    ),
                ),
                ("number", models.IntegerField()),
                ("content", models.BinaryField()),
            ],
            options={
                "verbose_name": "part of a signed batch",
                "verbose_name_plural": "parts of signed batches",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="StudioKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key_id", models.CharField(max_length=43, unique=True, verbose_name="key ID")),
                ("studio", models.CharField(max_length=100, verbose_name="studio")),
                ("public_key", models.BinaryField(max_length=32)),
                (
                    "tables",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), size=None, verbose_name="tables"
                    ),
                ),
                ("valid_from", models.DateTimeField(verbose_name="valid from")),
                ("valid_until", models.DateTimeField(verbose_name="valid until")),
                ("reason", models.TextField(verbose_name="reason")),
                ("proposed_at", models.DateTimeField(verbose_name="proposed")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                ("actor_user_id", models.BigIntegerField()),
            ],
            options={
                "verbose_name": "studio key",
                "verbose_name_plural": "studio keys",
                "permissions": [
                    ("propose_studio_key", "Can propose studio keys and unsigned rounds"),
                    (
                        "approve_studio_key",
                        "Can approve what another person proposed about studio keys",
                    ),
                    ("revoke_studio_key", "Can revoke studio keys and require signatures"),
                ],
                "default_permissions": ("view",),
            },
        ),
        migrations.CreateModel(
            name="StudioKeyStep",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.IntegerField()),
                (
                    "action",
                    models.CharField(
                        choices=[("approved", "Approved"), ("revoked", "Revoked")],
                        max_length=16,
                        verbose_name="what",
                    ),
                ),
                ("note", models.TextField(default="", verbose_name="note")),
                ("last_batch", models.BigIntegerField(null=True)),
                ("at", models.DateTimeField(verbose_name="when")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                ("actor_user_id", models.BigIntegerField()),
            ],
            options={
                "verbose_name": "step of a studio key",
                "verbose_name_plural": "steps of studio keys",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="SignatureRequirement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.IntegerField()),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("required", "Signatures required"),
                            ("proposed", "Unsigned rounds proposed"),
                            ("allowed", "Unsigned rounds allowed"),
                        ],
                        max_length=16,
                        verbose_name="what",
                    ),
                ),
                ("note", models.TextField(verbose_name="reason")),
                ("since_arrival", models.BigIntegerField()),
                ("at", models.DateTimeField(verbose_name="when")),
                ("actor", models.CharField(max_length=200, verbose_name="who")),
                ("actor_user_id", models.BigIntegerField()),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signature_requirements",
                        to="rounds.table",
                    ),
                ),
            ],
            options={
                "verbose_name": "signature setting of a table",
                "verbose_name_plural": "signature settings of tables",
                "default_permissions": ("view",),
            },
        ),
        migrations.AddField(
            model_name="round",
            name="signed_batch",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="rounds",
                to="rounds.signedbatch",
                verbose_name="signed batch",
            ),
        ),
        migrations.AddIndex(
            model_name="round",
            index=models.Index(
                condition=models.Q(("signed_batch__isnull", False)),
                fields=["signed_batch"],
                name="round_by_signed_batch",
            ),
        ),
        migrations.AddConstraint(
            model_name="studiokey",
            constraint=models.CheckConstraint(
                condition=models.Q(("valid_until__gt", models.F("valid_from"))),
                name="studio_key_valid_for_some_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="studiokey",
            constraint=models.CheckConstraint(
                condition=models.Q(("tables__len__gte", 1)), name="studio_key_of_some_table"
            ),
        ),
        migrations.AddField(
            model_name="signedbatch",
            name="key",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="batches",
                to="rounds.studiokey",
                verbose_name="studio key",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studiokey",
            trigger=pgtrigger.compiler.Trigger(
                name="studio_key_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="1f7325a30a3ae5cc1c0cb7cd3ea794b1921887b1",
                    operation="UPDATE",
                    pgid="pgtrigger_studio_key_no_update_74507",
                    table="rounds_studiokey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studiokey",
            trigger=pgtrigger.compiler.Trigger(
                name="studio_key_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="49c02d23d9bf2ed5302f1874cc84fb59cefa7a6a",
                    operation="DELETE",
                    pgid="pgtrigger_studio_key_no_delete_9aef6",
                    table="rounds_studiokey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studiokey",
            trigger=pgtrigger.compiler.Trigger(
                name="studio_key_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="58ba97b6fca3eed12fc11a0d257d6936865746aa",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_studio_key_no_truncate_5fba6",
                    table="rounds_studiokey",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studiokey",
            trigger=pgtrigger.compiler.Trigger(
                name="studio_key_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="636a4dbc4ffc947651ee6389f460cc1c94dd1834",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_studio_key_kept_9ef24",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_studiokey",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddField(
            model_name="studiokeystep",
            name="key",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="steps",
                to="rounds.studiokey",
            ),
        ),
        migrations.AddConstraint(
            model_name="signaturerequirement",
            constraint=models.UniqueConstraint(
                fields=("table", "sequence"), name="one_signature_requirement_step"
            ),
        ),
        migrations.AddConstraint(
            model_name="signaturerequirement",
            constraint=models.CheckConstraint(
                condition=models.Q(("sequence__gte", 1), models.Q(("note", ""), _negated=True)),
                name="signature_requirement_has_reason",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signaturerequirement",
            trigger=pgtrigger.compiler.Trigger(
                name="signature_requirement_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="0e372f267463f914fa6224ca69d0f138f9820603",
                    operation="UPDATE",
                    pgid="pgtrigger_signature_requirement_no_update_db145",
                    table="rounds_signaturerequirement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signaturerequirement",
            trigger=pgtrigger.compiler.Trigger(
                name="signature_requirement_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="092ac893017094c19dd602c133ce2ac4fcc2f771",
                    operation="DELETE",
                    pgid="pgtrigger_signature_requirement_no_delete_86de4",
                    table="rounds_signaturerequirement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signaturerequirement",
            trigger=pgtrigger.compiler.Trigger(
                name="signature_requirement_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="5fbd1ea187155109234566595eaf4e520768fd92",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_signature_requirement_no_truncate_ade9b",
                    table="rounds_signaturerequirement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signaturerequirement",
            trigger=pgtrigger.compiler.Trigger(
                name="signature_requirement_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="6a34f481f4e976d0ad9f5be3dbbb4cefc269aedf",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_signature_requirement_kept_97e8a",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_signaturerequirement",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signaturerequirement",
            trigger=pgtrigger.compiler.Trigger(
                name="unsigned_allowed_by_another",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (NEW.\"action\" = 'allowed')",
                    func="\n                    IF NOT EXISTS (SELECT FROM rounds_signaturerequirement AS before\n                                    WHERE before.table_id = NEW.table_id\n                                      AND before.sequence = NEW.sequence - 1\n                                      AND before.action = 'proposed'\n                                      AND before.actor_user_id <> NEW.actor_user_id\n                                      AND lower(before.actor) <> lower(NEW.actor)) THEN\n                        RAISE EXCEPTION 'table %: % cannot allow what nobody else proposed',\n                            NEW.table_id, NEW.actor USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="eca619d586efe2168d5b3afea9d990810374f9b8",
                    operation="INSERT",
                    pgid="pgtrigger_unsigned_allowed_by_another_2d924",
                    table="rounds_signaturerequirement",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signedchunk",
            trigger=pgtrigger.compiler.Trigger(
                name="signed_chunk_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="e2f4d753138e5d7e65808ec9c4cddda68906dc7a",
                    operation="UPDATE",
                    pgid="pgtrigger_signed_chunk_no_update_0bd00",
                    table="rounds_signedchunk",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signedchunk",
            trigger=pgtrigger.compiler.Trigger(
                name="signed_chunk_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="56ccbc512421f76faa34ad8598a14c0cdae5152a",
                    operation="DELETE",
                    pgid="pgtrigger_signed_chunk_no_delete_28513",
                    table="rounds_signedchunk",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signedchunk",
            trigger=pgtrigger.compiler.Trigger(
                name="signed_chunk_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="dfac51806f4c68751cb192dd09bfda34939341c1",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_signed_chunk_no_truncate_7993c",
                    table="rounds_signedchunk",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signedbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="signed_batch_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="66ce0deadb2c037e8a22542e205fb3013f9be44e",
                    operation="UPDATE",
                    pgid="pgtrigger_signed_batch_no_update_f59b5",
                    table="rounds_signedbatch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signedbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="signed_batch_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="59bf72e8faed4be2ca8b1597c610a29824cd3020",
                    operation="DELETE",
                    pgid="pgtrigger_signed_batch_no_delete_d09df",
                    table="rounds_signedbatch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signedbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="signed_batch_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="8090309bae17b821e66a7994a230320ab72ceb09",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_signed_batch_no_truncate_b9f93",
                    table="rounds_signedbatch",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signedbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="signed_batch_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="334c72345402d61b788a83ba22476034b9b8d100",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_signed_batch_kept_e3a24",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_signedbatch",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="signedbatch",
            trigger=pgtrigger.compiler.Trigger(
                name="signed_batch_by_valid_key",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    -- Waits for a revocation in progress, and makes later ones wait.\n                    PERFORM pg_advisory_xact_lock_shared(\n                        hashtextextended('studio-key:' || NEW.key_id, 0));\n                    IF NOT EXISTS (\n                        SELECT FROM rounds_studiokey AS key\n                          JOIN rounds_studiokeystep AS step\n                            ON step.key_id = key.id AND step.action = 'approved'\n                         WHERE key.id = NEW.key_id AND step.at <= NEW.received_at\n                           AND key.valid_from <= NEW.received_at\n                           AND NEW.received_at < key.valid_until\n                           AND NOT EXISTS (SELECT FROM rounds_studiokeystep AS later\n                                            WHERE later.key_id = key.id\n                                              AND later.action = 'revoked')) THEN\n                        RAISE EXCEPTION 'studio key %: not approved, not valid or revoked',\n                            NEW.key_id USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="10fdd8f1fecadaa8cdf07ebaff6a009487b35dc5",
                    operation="INSERT",
                    pgid="pgtrigger_signed_batch_by_valid_key_cefdf",
                    table="rounds_signedbatch",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="studiokeystep",
            constraint=models.UniqueConstraint(
                fields=("key", "sequence"), name="one_studio_key_step"
            ),
        ),
        migrations.AddConstraint(
            model_name="studiokeystep",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("action", "revoked"), _negated=True),
                    models.Q(models.Q(("note", ""), _negated=True), ("last_batch__isnull", False)),
                    _connector="OR",
                ),
                name="studio_key_revoked_for_a_reason",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studiokeystep",
            trigger=pgtrigger.compiler.Trigger(
                name="studio_key_step_no_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update rows from % table', TG_TABLE_NAME;",
                    hash="d2bcf53390b746faa0df456883c7e4a42cd2c557",
                    operation="UPDATE",
                    pgid="pgtrigger_studio_key_step_no_update_f9f8f",
                    table="rounds_studiokeystep",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studiokeystep",
            trigger=pgtrigger.compiler.Trigger(
                name="studio_key_step_no_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot delete rows from % table', TG_TABLE_NAME;",
                    hash="b813b78274bdffcde20fad412eecc8e7e0fe803a",
                    operation="DELETE",
                    pgid="pgtrigger_studio_key_step_no_delete_ff7bb",
                    table="rounds_studiokeystep",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studiokeystep",
            trigger=pgtrigger.compiler.Trigger(
                name="studio_key_step_no_truncate",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot truncate rows from % table', TG_TABLE_NAME;",
                    hash="617e3459d0554d6d734553db6c5fcf5a903b63ec",
                    level="STATEMENT",
                    operation="TRUNCATE",
                    pgid="pgtrigger_studio_key_step_no_truncate_24189",
                    table="rounds_studiokeystep",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studiokeystep",
            trigger=pgtrigger.compiler.Trigger(
                name="studio_key_step_kept",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n    INSERT INTO trail_pendingrow (table_name, key, columns, digest)\n    SELECT TG_TABLE_NAME, trail_key(to_jsonb(added), 'id'),\n           ARRAY(SELECT jsonb_object_keys(to_jsonb(added)) ORDER BY 1), trail_digest(added, '{}')\n      FROM added;\n    RETURN NULL;\n",
                    hash="2f7e8b439e602c5ce9955aab029475eb4342f01b",
                    level="STATEMENT",
                    operation="INSERT",
                    pgid="pgtrigger_studio_key_step_kept_168b2",
                    referencing="REFERENCING NEW TABLE AS added ",
                    table="rounds_studiokeystep",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="studiokeystep",
            trigger=pgtrigger.compiler.Trigger(
                name="studio_key_approved_by_another",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="\n                    IF NEW.action = 'approved' AND EXISTS (\n                        SELECT FROM rounds_studiokey AS key\n                         WHERE key.id = NEW.key_id\n                           AND (key.actor_user_id = NEW.actor_user_id\n                                OR lower(key.actor) = lower(NEW.actor))) THEN\n                        RAISE EXCEPTION 'studio key %: % proposed it, another has to approve it',\n                            NEW.key_id, NEW.actor USING ERRCODE = 'check_violation';\n                    END IF;\n                    IF EXISTS (SELECT FROM rounds_studiokeystep AS before\n                                WHERE before.key_id = NEW.key_id\n                                  AND (before.action = 'revoked'\n                                       OR before.action = NEW.action)) THEN\n                        RAISE EXCEPTION 'studio key %: revoked, or % already',\n                            NEW.key_id, NEW.action USING ERRCODE = 'check_violation';\n                    END IF;\n                    RETURN NEW;\n                ",
                    hash="b02b9351a83a5e083039844dd57fcc26903ab3ae",
                    operation="INSERT",
                    pgid="pgtrigger_studio_key_approved_by_another_51210",
                    table="rounds_studiokeystep",
                    when="BEFORE",
                ),
            ),
        ),
    ]

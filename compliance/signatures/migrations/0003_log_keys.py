"""Further keys of the log need two signatures from now on. One pass over the audit records."""

from django.db import migrations

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    dependencies = [
        ("signatures", "0002_joint_signatures"),
    ]

    operations = [
        keep_earlier_decisions("LOG_KEY_CHANGED"),
        migrations.AlterModelOptions(
            name="signingkey",
            options={
                "default_permissions": ("view",),
                "permissions": [
                    ("decide_signing_key", "Can approve and revoke signing keys"),
                    ("approve_log_key", "Can approve keys of the audit log"),
                    ("sign_rules", "Can sign rule sets in force"),
                ],
                "verbose_name": "signing key",
                "verbose_name_plural": "signing keys",
            },
        ),
    ]

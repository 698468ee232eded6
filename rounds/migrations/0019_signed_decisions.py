from django.db import migrations

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    """Decisions about studio keys and the signature setting of tables are signed from now on."""

    dependencies = [
        ("signatures", "0002_joint_signatures"),
        ("rounds", "0018_studio_keys"),
    ]

    operations = [
        keep_earlier_decisions(
            "STUDIO_KEY_PROPOSED",
            "STUDIO_KEY_APPROVED",
            "STUDIO_KEY_REVOKED",
            "SIGNATURES_REQUIRED",
            "UNSIGNED_ROUNDS_PROPOSED",
            "UNSIGNED_ROUNDS_ALLOWED",
        ),
    ]

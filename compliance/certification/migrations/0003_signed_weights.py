"""Weights are signed from now on. One pass over the audit records; no lock on tables."""

from django.db import migrations

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    dependencies = [
        ("signatures", "0002_joint_signatures"),
        ("certification", "0002_plain_labels"),
    ]

    operations = [
        keep_earlier_decisions("BONUS_WEIGHTS_SET", "BONUS_WEIGHTS_APPROVED"),
    ]

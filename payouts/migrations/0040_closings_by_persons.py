"""A closing in a person's name is signed from now on. One pass over the audit records; no lock."""

from django.db import migrations

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    dependencies = [
        ("signatures", "0002_joint_signatures"),
        ("payouts", "0039_signed_terms"),
    ]

    operations = [
        keep_earlier_decisions("DAY_CLOSED"),
    ]

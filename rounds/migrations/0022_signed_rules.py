"""Rule sets are signed from now on. One pass over the audit records; no lock on tables."""

from django.db import migrations

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    dependencies = [
        ("signatures", "0002_joint_signatures"),
        ("rounds", "0021_signed_suspensions"),
    ]

    operations = [
        keep_earlier_decisions("RULES_PUT_IN_FORCE"),
    ]

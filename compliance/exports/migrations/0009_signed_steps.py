"""Steps of bundles are signed from now on. One pass over the audit records; no lock on tables."""

from django.db import migrations

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    dependencies = [
        ("signatures", "0002_joint_signatures"),
        ("exports", "0008_plain_labels"),
    ]

    operations = [
        keep_earlier_decisions(
            "BUNDLE_SIGNED",
            "BUNDLE_SET_ASIDE",
            "BUNDLE_SENT",
            "BUNDLE_RECEIVED",
            "BUNDLE_REFUSED",
        ),
    ]

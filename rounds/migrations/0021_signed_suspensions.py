from django.db import migrations

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    """Suspensions and resumptions of tables are signed from now on."""

    dependencies = [
        ("signatures", "0002_joint_signatures"),
        ("rounds", "0020_signed_limits"),
    ]

    operations = [
        keep_earlier_decisions("TABLE_SUSPENDED", "TABLE_RESUMED"),
    ]

from django.db import migrations

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    """Requests to change somebody's access, and decisions about them, are signed from now on."""

    dependencies = [
        ("signatures", "0002_joint_signatures"),
        ("casino", "0007_plain_labels"),
    ]

    operations = [
        keep_earlier_decisions("ACCESS_REQUESTED", "ACCESS_APPROVED", "ACCESS_REJECTED"),
    ]

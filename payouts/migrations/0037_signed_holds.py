from django.db import migrations

from compliance.signatures.earlier_decisions import keep_earlier_decisions


class Migration(migrations.Migration):
    """Legal holds and their liftings are signed from now on."""

    dependencies = [
        ("signatures", "0002_joint_signatures"),
        ("payouts", "0036_signed_closings"),
    ]

    operations = [
        keep_earlier_decisions("HOLD_PLACED", "HOLD_LIFTED"),
    ]

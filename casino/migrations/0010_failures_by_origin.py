"""An index to count failed logins by address. Built beside the traffic; no lock."""

from django.db import migrations, models

from compliance.storage.online_migrations.indexes import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("casino", "0009_earlier_roles")]

    operations = [
        AddIndexOnline(
            "loginfailure",
            models.Index(fields=["origin", "at"], name="login_failure_by_origin"),
        ),
    ]

from django.db import migrations, models

from compliance.storage.online_migrations.indexes import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False  # bundles are built and signed while the indexes are

    dependencies = [
        ("exports", "0011_replay_links"),
    ]

    operations = [
        AddIndexOnline(
            model_name="bundle",
            index=models.Index(fields=["built_at", "number"], name="bundle_by_time"),
        ),
        AddIndexOnline(
            model_name="bundlestep",
            index=models.Index(fields=["at", "bundle"], name="bundle_step_by_time"),
        ),
    ]

"""A column with a constant default, which workers of the previous release leave out."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0048_recheck"),
    ]

    operations = [
        migrations.AddField(
            model_name="recheckhour",
            name="run_seconds",
            field=models.FloatField(db_default=0),
        ),
    ]

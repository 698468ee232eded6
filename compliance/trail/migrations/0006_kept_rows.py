import django.contrib.postgres.fields
from django.db import migrations, models

from compliance.trail.row_digests import FUNCTIONS


class Migration(migrations.Migration):
    """Rows of decisions are hashed as they are added, and wait for their record."""

    dependencies = [
        ("trail", "0005_months_by_anybody"),
    ]

    operations = [
        migrations.RunSQL(FUNCTIONS),
        migrations.CreateModel(
            name="PendingRow",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("table_name", models.CharField(max_length=64)),
                ("key", models.TextField()),
                (
                    "columns",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), size=None
                    ),
                ),
                ("digest", models.BinaryField(max_length=32)),
            ],
            options={
                "verbose_name": "row waiting for its record",
                "verbose_name_plural": "rows waiting for their record",
                "default_permissions": (),
            },
        ),
    ]

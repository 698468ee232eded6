from django.db import migrations, models


class Migration(migrations.Migration):
    """Waiting rounds that failed are few and looked for among all: an index of them alone."""

    dependencies = [("rounds", "0004_round_by_table")]

    operations = [
        migrations.AddIndex(
            "queuedround",
            models.Index(
                fields=["arrival"], name="failed_rounds", condition=models.Q(attempts__gt=0)
            ),
        ),
    ]

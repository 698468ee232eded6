from django.db import migrations, models


class Migration(migrations.Migration):
    """Void rounds are few and looked for among all: an index of them alone."""

    dependencies = [("payouts", "0002_rules_digest")]

    operations = [
        migrations.AddIndex(
            "settlement",
            models.Index(fields=["round"], name="void_rounds", condition=models.Q(kind="void")),
        ),
    ]

from django.db import migrations, models

from compliance.storage.online_migrations.indexes import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False  # rounds arrive while the indexes are built

    dependencies = [
        ("rounds", "0027_earlier_rule_sets"),
    ]

    operations = [
        AddIndexOnline(
            model_name="round",
            index=models.Index(fields=["received_at", "id"], name="round_by_receipt"),
        ),
        AddIndexOnline(
            model_name="validation",
            index=models.Index(
                condition=models.Q(("status", "held")),
                fields=["validated_at", "round"],
                name="held_by_time",
            ),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    """The records of a person, and those of an action but of the two that every round writes."""

    dependencies = [("trail", "0008_plain_labels")]

    operations = [
        migrations.AddIndex(
            "auditrecord",
            models.Index(
                fields=["actor_user_id", "id"],
                name="trail_by_person",
                condition=models.Q(actor_user_id__isnull=False),
            ),
        ),
        migrations.AddIndex(
            "auditrecord",
            models.Index(
                fields=["action", "id"],
                name="trail_by_action",
                condition=~models.Q(action="ROUND_RECEIVED") & ~models.Q(action="ROUND_SETTLED"),
            ),
        ),
    ]

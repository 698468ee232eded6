from django.db import migrations, models

from compliance.storage.online_migrations.indexes import AddIndexOnline, RemoveIndexOnline


class Migration(migrations.Migration):
    atomic = False  # rounds settle while the indexes are built

    dependencies = [
        ("payouts", "0045_cancelled_uploads"),
        ("rounds", "0028_lists_by_time"),
    ]

    operations = [
        AddIndexOnline(
            model_name="settlement",
            index=models.Index(fields=["settled_at", "round"], name="settlement_by_time"),
        ),
        AddIndexOnline(
            model_name="disputestep",
            index=models.Index(fields=["at", "dispute"], name="dispute_step_by_time"),
        ),
        AddIndexOnline(
            model_name="feedupload",
            index=models.Index(
                condition=models.Q(("delivery__isnull", False), ("finished_at__isnull", False)),
                fields=["sender", "finished_at", "id"],
                name="jobs_by_end",
            ),
        ),
        RemoveIndexOnline(
            model_name="feedupload",
            name="jobs_of_a_key",
        ),
        AddIndexOnline(
            model_name="feedupload",
            index=models.Index(
                condition=models.Q(("delivery__isnull", False)),
                fields=["sender", "uploaded_at", "id"],
                name="jobs_of_a_key",
            ),
        ),
    ]

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Signatures of uploaded feeds."""

    dependencies = [
        ("payouts", "0032_plain_labels"),
        ("rounds", "0018_studio_keys"),
    ]

    operations = [
        migrations.CreateModel(
            name="FeedSignatures",
            fields=[
                (
                    "upload",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="signatures",
                        serialize=False,
                        to="payouts.feedupload",
                    ),
                ),
                ("content", models.BinaryField()),
            ],
            options={
                "verbose_name": "signatures of an uploaded feed",
                "verbose_name_plural": "signatures of uploaded feeds",
                "default_permissions": (),
            },
        ),
        migrations.AddField(
            model_name="feedupload",
            name="signature_fault",
            field=models.TextField(default=""),
        ),
        migrations.AddField(
            model_name="feedupload",
            name="signed_batch",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="rounds.signedbatch",
            ),
        ),
        migrations.AddField(
            model_name="feedupload",
            name="signed_batches",
            field=models.IntegerField(default=0),
        ),
    ]

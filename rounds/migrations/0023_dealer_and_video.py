"""Who dealt a round, and where its recording is. Nullable columns: nothing is rewritten."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("rounds", "0022_signed_rules"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="dealer",
            field=models.CharField(max_length=64, null=True, verbose_name="dealer"),
        ),
        migrations.AddField(
            model_name="round",
            name="location",
            field=models.CharField(max_length=64, null=True, verbose_name="location"),
        ),
        migrations.AddField(
            model_name="round",
            name="shift",
            field=models.CharField(max_length=64, null=True, verbose_name="shift"),
        ),
        migrations.AddField(
            model_name="round",
            name="video",
            field=models.JSONField(null=True, verbose_name="video"),
        ),
    ]

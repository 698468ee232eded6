import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """Saved views of lists, of a person or shared."""

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SavedView",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("list_name", models.CharField(max_length=40, verbose_name="list")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("query", models.CharField(blank=True, max_length=2000, verbose_name="filters")),
                ("is_shared", models.BooleanField(default=False, verbose_name="shared")),
                ("saved_at", models.DateTimeField(verbose_name="saved")),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "saved view",
                "verbose_name_plural": "saved views",
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("list_name", "owner", "name"), name="one_view_of_a_name"
                    )
                ],
            },
        ),
    ]

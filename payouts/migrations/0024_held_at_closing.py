import django.db.models.fields.json
import django.db.models.functions.comparison
from django.db import migrations, models


def _figure(name: str) -> models.Expression:
    """A figure of all tables together, out of the control totals."""
    of_all = django.db.models.fields.json.KeyTextTransform("all", "totals")
    figure = django.db.models.fields.json.KeyTextTransform(name, of_all)
    return django.db.models.functions.comparison.Cast(figure, models.BigIntegerField())


class Migration(migrations.Migration):
    """Closings show what was held, also those of before: PostgreSQL computes it from the totals."""

    dependencies = [("payouts", "0021_uploads_released_by_another")]

    operations = [
        migrations.AddField(
            model_name="dayclosing",
            name="held_rounds",
            field=models.GeneratedField(
                db_persist=True,
                expression=_figure("held_rounds"),
                output_field=models.BigIntegerField(verbose_name="held rounds"),
            ),
        ),
        migrations.AddField(
            model_name="dayclosing",
            name="held_cents",
            field=models.GeneratedField(
                db_persist=True,
                expression=_figure("held_cents"),
                output_field=models.BigIntegerField(verbose_name="stakes held"),
            ),
        ),
    ]

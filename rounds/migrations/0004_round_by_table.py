import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """The rounds of one table in the order of play, in place of the same without an order."""

    dependencies = [("rounds", "0003_rules_digest")]

    operations = [
        migrations.AddIndex("round", models.Index(fields=["table", "id"], name="round_by_table")),
        migrations.AlterField(
            "round",
            "table",
            models.ForeignKey(
                "rounds.table",
                django.db.models.deletion.PROTECT,
                db_index=False,
                related_name="rounds",
                verbose_name="table",
            ),
        ),
    ]

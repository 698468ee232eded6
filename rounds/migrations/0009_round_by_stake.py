from django.db import migrations, models


class Migration(migrations.Migration):
    """The rounds that staked one amount, in the order of play."""

    dependencies = [("rounds", "0008_claim")]

    operations = [
        migrations.AddIndex(
            "round", models.Index(fields=["staked_cents", "id"], name="round_by_stake")
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    """The settlements that paid one amount, in the order of play."""

    dependencies = [("payouts", "0009_reasons")]

    operations = [
        migrations.AddIndex(
            "settlement",
            models.Index(
                fields=["payout_cents", "round"],
                name="settlement_by_payout",
                condition=models.Q(payout_cents__gt=0),
            ),
        ),
    ]

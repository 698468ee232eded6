from django.db import migrations, models

from rounds.migrations._rules_digest import add_rules_digest, drop_rules_digest

_TABLE = "payouts_settlement"


class Migration(migrations.Migration):
    """The digest of the rule set with every settlement; rows that are there get that of its seal."""

    dependencies = [("payouts", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(add_rules_digest(_TABLE), drop_rules_digest(_TABLE)),
            ],
            state_operations=[
                migrations.AddField(
                    "settlement",
                    "rules_digest",
                    models.BinaryField(max_length=32),
                    preserve_default=False,
                ),
            ],
        ),
    ]

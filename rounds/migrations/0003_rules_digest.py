from django.db import migrations, models

from rounds.migrations._rules_digest import add_rules_digest, drop_rules_digest

_TABLE = "rounds_round"


class Migration(migrations.Migration):
    """The digest of the rule set with every round; rows that are there get that of its seal."""

    dependencies = [("rounds", "0002_arrival")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(add_rules_digest(_TABLE), drop_rules_digest(_TABLE)),
            ],
            state_operations=[
                migrations.AddField(
                    "round",
                    "rules_digest",
                    models.BinaryField(max_length=32),
                    preserve_default=False,
                ),
            ],
        ),
    ]

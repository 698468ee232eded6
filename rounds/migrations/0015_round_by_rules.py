from django.db import migrations, models


class Migration(migrations.Migration):
    """The rounds of a rule set, of a table by one, and of a session, in the order of play."""

    dependencies = [("rounds", "0014_limits_kept")]

    operations = [
        migrations.AddIndex("round", models.Index(fields=["rules", "id"], name="round_by_rules")),
        migrations.AddIndex(
            "round", models.Index(fields=["table", "rules", "id"], name="round_by_table_rules")
        ),
        migrations.RemoveIndex("round", "round_by_session"),
        migrations.AddIndex(
            "round", models.Index(fields=["session", "id"], name="round_by_session")
        ),
    ]

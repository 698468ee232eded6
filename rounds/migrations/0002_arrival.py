from django.db import migrations


class Migration(migrations.Migration):
    """The counter that numbers shoe openings and rounds in the order of their arrival."""

    dependencies = [("rounds", "0001_initial")]

    operations = [
        migrations.RunSQL(
            "CREATE SEQUENCE rounds_arrival AS bigint",
            "DROP SEQUENCE rounds_arrival",
        ),
    ]

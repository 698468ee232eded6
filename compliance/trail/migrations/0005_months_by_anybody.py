from django.db import migrations

from compliance.storage.partitions import MAKE_PARTITION


class Migration(migrations.Migration):
    """Months are made by a function that has the rights of the tables' owner."""

    dependencies = [
        ("trail", "0004_the_log"),
    ]

    operations = [migrations.RunSQL(MAKE_PARTITION)]

from django.db import migrations

from compliance.storage.partitions import MAKE_PARTITION

# Dropped and not replaced, so that no role keeps the right to call the one that replaces guards.
_DROP = """
    DROP FUNCTION IF EXISTS trail_make_partition(text, int, int, uuid, uuid);
    DROP FUNCTION IF EXISTS trail_make_partition(text, int, int);
    DROP FUNCTION IF EXISTS trail_guard_partition(text, text);
"""


class Migration(migrations.Migration):
    """The guards of a month are the owner's business; only the month may be asked for.

    Give the application's role its rights anew afterwards (``grant_application_role``).
    """

    dependencies = [
        ("trail", "0006_kept_rows"),
    ]

    operations = [migrations.RunSQL(_DROP + MAKE_PARTITION, migrations.RunSQL.noop)]

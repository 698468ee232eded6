"""Months that left the database: their partitions are detached, as docs/retention.md says."""

from django.db import connection

from compliance.storage.partitions import Month, months_of, partitioned_tables

_OF_THE_LOG = "trail_"


def detach(month: Month, *, with_log: bool = False) -> None:
    """Detaches the partitions of the month; those of the audit log only if asked."""
    with connection.cursor() as cursor:
        for table in partitioned_tables():
            if month in months_of(table) and (with_log or not table.startswith(_OF_THE_LOG)):
                part = f"{table}_{month.year}_{month.month:02}"
                cursor.execute(f"ALTER TABLE {table} DETACH PARTITION {part}")

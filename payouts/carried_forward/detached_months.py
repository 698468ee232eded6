"""Which months are out of the database, as the audit log states it.

Only the owner of the tables can record that a month was detached or restored.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple
from uuid import UUID

from compliance.storage.partitions import Month
from compliance.trail.key_ranges import KeyRange, month_keys
from compliance.trail.models import AuditRecord
from payouts.carried_forward.models import CarriedDay

DETACHED: Final = "MONTH_DETACHED"
RESTORED: Final = "MONTH_RESTORED"
WRITTEN: Final = "ARCHIVE_WRITTEN"
ARCHIVE: Final = "archive:"
"""Before the month, the subject of all records about its archives."""
KEEP_MONTHS: Final = "LOCK TABLE payouts_transfer IN ACCESS SHARE MODE"
"""SQL: until the end of the transaction no month leaves the database, or comes back.

Before the first query of a transaction that reads one snapshot: which partitions a table has is
not part of the snapshot, so rows could be gone of which it does not know that they were carried
forward.
"""
MOVE_MONTHS: Final = "LOCK TABLE payouts_transfer IN ACCESS EXCLUSIVE MODE"
"""SQL: waits for the transactions that keep months, and lets no other begin."""


class DetachedMonth(NamedTuple):
    """A month whose rounds and transfers are in its archive alone."""

    month: Month
    record_id: UUID
    """The record of its detachment, to which the carried rows belong."""
    details: Mapping[str, Any]

    @property
    def keys(self) -> KeyRange:
        """The ids of its rounds."""
        return month_keys(self.month)


def detached_months() -> list[DetachedMonth]:
    """The months that were detached and not restored since, in their order."""
    moved = AuditRecord.objects.filter(action__in=[DETACHED, RESTORED]).order_by("id")
    latest = {record.subject: record for record in moved}
    return sorted(
        DetachedMonth(_month(record.subject), record.pk, record.details)
        for record in latest.values()
        if record.action == DETACHED
    )


def detached_with_bookings(first_day: date | None, last_day: date | None) -> list[Month]:
    """The detached months with bookings on one of these days, both included; None is unbounded."""
    ends = {"day__gte": first_day, "day__lte": last_day}
    booked = CarriedDay.objects.filter(**{name: end for name, end in ends.items() if end})
    months = detached_months()
    records = set(
        booked.filter(record_id__in=[month.record_id for month in months]).values_list(
            "record_id", flat=True
        )
    )
    return [month.month for month in months if month.record_id in records]


def in_database(column: str) -> str:
    """SQL: whether a column of ids is of no detached month."""
    detached = [f"NOT ({month.keys.holds(column)})" for month in detached_months()]
    return " AND ".join(["true", *detached])


def is_carried() -> str:
    """SQL: whether a row with sums counts, because its month is detached."""
    records = ", ".join(f"'{month.record_id}'" for month in detached_months())
    return f"record_id = ANY(ARRAY[{records}]::uuid[])"


def _month(subject: str) -> Month:
    year, month = subject.removeprefix(ARCHIVE).split("-")
    return Month(int(year), int(month))

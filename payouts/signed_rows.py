"""The rows of this package that state signed decisions."""

from collections.abc import Iterator

from compliance.signatures.verify_rows import SignedRow, signed_row
from compliance.trail.models import AuditRecord
from payouts.gaming_days.models import DayClosing


def signed_rows() -> Iterator[SignedRow]:
    """Closings of days on the page. ``payouts.cases.verify_cases`` verifies the steps of cases.

    Those by the nightly job and by commands have a record that web hosts cannot write; the checks
    of the books compare them with it.
    """
    for closing in DayClosing.objects.order_by("day").iterator():
        records = AuditRecord.objects.filter(subject=f"day:{closing.day}", action="DAY_CLOSED")
        if not records.exists():
            yield signed_row(closing)

"""Verification of closings on the page: signatures are believed, rows are not."""

from collections.abc import Iterator

from compliance.signatures.verify_signatures import SignatureVerifier, report_unsigned
from compliance.trail.extra_checks import Report
from compliance.trail.models import AuditRecord
from payouts.gaming_days.models import DayClosing


def verify_closings(report: Report) -> str:
    """Reports each closing that its actor did not sign.

    Those by the nightly job and by commands have a record that web hosts cannot write; the checks
    of the books compare them with it.
    """
    number = report_unsigned(_signed_closings(), SignatureVerifier(), report)
    return f"{number} closings of days on the page"


def _signed_closings() -> Iterator[DayClosing]:
    for closing in DayClosing.objects.order_by("day").iterator():
        records = AuditRecord.objects.filter(subject=f"day:{closing.day}", action="DAY_CLOSED")
        if not records.exists():
            yield closing

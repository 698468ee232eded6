"""When the audit log received a round: others may date rows and records back, but not the log."""

from datetime import datetime

from compliance.trail.log.log_status import LATE, is_in_log_or_pending, position_of
from compliance.trail.models import AuditRecord


def receipt_of(reference: str) -> AuditRecord | None:
    """The first record of the round's arrival that is a leaf of the log, or the next to be one."""
    records = AuditRecord.objects.filter(action="ROUND_RECEIVED", subject=f"round:{reference}")
    return next((found for found in records.order_by("id") if is_in_log_or_pending(found)), None)


def received_by_log(reference: str, *, at: datetime) -> datetime:
    """The earliest time at which the round can have arrived; ``at`` if the log does not say.

    The log may be as late as it is without an alarm.
    """
    record = receipt_of(reference)
    position = None if record is None else position_of(record.id)
    return (at if position is None else position.head.at) - LATE

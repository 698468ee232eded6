"""The order of decisions by the signed log, which the dates in their records may contradict."""

from datetime import datetime

from django.utils import timezone

from compliance.signatures.models import SigningKeyStep
from compliance.trail.log.log_status import LATE, position_of
from compliance.trail.models import AuditRecord


def in_force_by_log(approval: SigningKeyStep, record: AuditRecord) -> datetime:
    """The time from which an approved key signs: once its delay has passed in the log as well.

    The delay counts from the time at which the log received the approval, less the lateness that
    raises no alarm (``LATE``). For an approval that the log has not received it counts from now, by
    the clock: callers pass the dates of decisions, which their persons state.
    """
    in_force_from = approval.in_force_from or approval.at
    position = position_of(record.id)
    logged_at = timezone.now() if position is None else position.head.at
    return max(in_force_from, logged_at + (in_force_from - approval.at) - LATE)


def is_logged_after(record: AuditRecord, other: AuditRecord) -> bool:
    """Whether the log has received ``other``, and ``record`` later or not yet."""
    before, position = position_of(other.id), position_of(record.id)
    return before is not None and (position is None or position.leaf > before.leaf)

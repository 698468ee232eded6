"""Dates that the log contradicts: persons date their decisions, the log numbers them."""

from datetime import datetime

from django.utils import timezone

from compliance.signatures.models import SigningKeyStep
from compliance.trail.log.log_status import LATE, position_of
from compliance.trail.models import AuditRecord


def in_force_by_log(approval: SigningKeyStep, record: AuditRecord) -> datetime:
    """From when a key signs: the approval's delay counts from the time at which it was logged.

    The log may be as late as it is without an alarm. An approval that is not in the log counts as
    one of now.
    """
    in_force_from = approval.in_force_from or approval.at
    position = position_of(record.id)
    logged_at = timezone.now() if position is None else position.head.at
    return max(in_force_from, logged_at + (in_force_from - approval.at) - LATE)


def is_logged_after(record: AuditRecord, other: AuditRecord) -> bool:
    """Whether the other record is in the log, and this one behind it or not yet there."""
    before, position = position_of(other.id), position_of(record.id)
    return before is not None and (position is None or position.leaf > before.leaf)

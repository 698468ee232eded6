"""Proofs of day closings from the audit trail."""

from typing import Any, Final

from compliance.exports.scope import Snapshot
from compliance.trail.log.proofs import prove_record
from payouts.gaming_days.models import DayClosing
from payouts.gaming_days.verify_closing import record_of_closing

_CLOSED: Final = """
    SELECT day FROM payouts_dayclosing WHERE day BETWEEN %(first_day)s AND %(last_day)s
"""


def proofs_of_closing(snapshot: Snapshot) -> list[dict[str, Any]] | None:
    """Inclusion proofs of the closing of each day, with its control totals.

    None while one of the days is open. Deterministic. Raises NotInLog if a record is not in the log
    yet, or not cosigned by the witnesses that are needed, and UnsignedClosing.
    """
    if len(snapshot.rows(_CLOSED)) < len(snapshot.of.days):
        return None
    closings = DayClosing.objects.filter(day__in=snapshot.of.days).order_by("day")
    return [prove_record(record_of_closing(closing).id, is_final=True) for closing in closings]

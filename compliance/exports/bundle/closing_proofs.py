"""Proofs of day closings from the audit trail."""

from typing import Any, Final

from compliance.exports.scope import Snapshot
from compliance.trail.log.proofs import prove_record
from compliance.trail.queries import records_of

_CLOSED: Final = """
    SELECT day FROM payouts_dayclosing WHERE day BETWEEN %(first_day)s AND %(last_day)s
"""

CLOSED_BY_SIGNATURE: Final = "DAY_CLOSED_BY_SIGNATURE"
"""The audit action of a closing that a person signed."""
_ACTIONS: Final = ("DAY_CLOSED", CLOSED_BY_SIGNATURE)


def proofs_of_closing(snapshot: Snapshot) -> list[dict[str, Any]] | None:
    """Inclusion proofs of the closing of each day, with its control totals.

    None while one of the days is open. Deterministic. Raises NotInLog if a record is not in the log
    yet.
    """
    if len(snapshot.rows(_CLOSED)) < len(snapshot.of.days):
        return None
    closings = (
        records_of(f"day:{day}").filter(action__in=_ACTIONS).first() for day in snapshot.of.days
    )
    return [prove_record(record.id) for record in closings if record is not None]

"""The closing of a day: what the bundle of a closed day proves by the audit trail."""

from typing import Any

from compliance.exports.day import Snapshot
from compliance.trail.proofs import prove_record
from compliance.trail.queries import records_of


def proof_of_closing(snapshot: Snapshot) -> dict[str, Any] | None:
    """That the day's closing, with its control totals, is in the signed log; None while it is open.

    The same at any time. Raises NotInLog while the log has not got the record yet.
    """
    if not snapshot.rows("SELECT FROM payouts_dayclosing WHERE day = %(day)s"):
        return None
    [first] = records_of(f"day:{snapshot.of.day}").filter(action="DAY_CLOSED")[:1]
    return prove_record(first.id)
